import type { HttpRequest, HttpResponse } from "#backend/http/http-message.ts";
import { percentDecode } from "#backend/http/percent-decode.ts";
import { splitAddress } from "#backend/http/split-address.ts";
import { type Actor, asService } from "../database/run-as.ts";
import { verifyToken } from "../requests/authenticate.ts";
import type { Reply } from "../requests/call.ts";
import { StorageError } from "../storage-error.ts";
import type { StorageService } from "../storage-service.ts";
import { differs } from "./chunked-body.ts";
import { isForm, postForm } from "./commands/post-form.ts";
import { findCommand } from "./commands.ts";
import { nameOf } from "./s3-call.ts";
import {
  readSignature,
  type Signature,
  type Signer,
  signatureOfForm,
  verifySignature,
  verifyTexts,
} from "./signature.ts";
import { toXml } from "./xml.ts";

/** Handles an S3 request. @throws StorageError */
export async function answerS3(request: HttpRequest, path: string, service: StorageService): Promise<Reply> {
  const { path: place, query: asked } = splitAddress(path.slice("/s3".length));
  const [, bucket = "", key = ""] = /^\/?([^/]*)\/?(.*)$/s.exec(place) ?? [];
  const query = new URLSearchParams(asked);
  if (bucket && !key && isForm(request, query)) {
    return postForm(request, { bucket: decode(bucket), query }, service, async (fields) => {
      const signature = signatureOfForm(fields);
      const policy = [fields.get("policy") ?? ""];
      const sign = findSigner(signature, service, (secret) => verifyTexts(policy, signature, secret));
      return { signature, sign, actor: await findActor(request, signature, service) };
    });
  }
  const { signature, signed } = readSignature(request, query);
  const sign = findSigner(signature, service, (secret) => verifySignature(request, query, signature, secret));
  const actor = await findActor(request, signature, service);
  const names = { bucket: decode(bucket), key: nameOf(decode(key)) };
  const call = { request: signed, query, ...names, actor, signature, sign };
  return findCommand(call)(call, service);
}

/**
 * Finds the secret that signed the request: an access key's, or with a session token a session secret, in which case
 * the token identifies the user.
 */
function findSigner(
  { accessKey, sessionToken }: Signature,
  { s3Keys }: StorageService,
  verify: (secret: string) => Signer | null,
): Signer {
  const ofAccessKey = s3Keys.accessKeys.filter(({ id }) => id === accessKey).map(({ secret }) => secret);
  const secrets = sessionToken === null ? ofAccessKey : [...s3Keys.sessionSecrets, accessKey];
  if (secrets.length === 0) {
    const message = "The AWS access key ID you provided does not exist in our records.";
    throw new StorageError(403, "InvalidAccessKeyId", message);
  }
  for (const secret of secrets) {
    const sign = verify(secret);
    if (sign) return sign;
  }
  throw differs();
}

async function findActor(
  request: HttpRequest,
  { sessionToken }: Signature,
  { verifier }: StorageService,
): Promise<Actor> {
  if (sessionToken === null) return asService({ request });
  return { identity: await verifyToken(sessionToken, verifier), request };
}

function decode(text: string): string {
  return percentDecode(text, () => new StorageError(400, "InvalidURI", "Could not parse the specified URI"));
}

/** S3 error codes where they differ from this service's. */
const CODES: Record<string, string> = {
  ResourceNotEmpty: "BucketNotEmpty",
  InvalidJWT: "AccessDenied",
  KeyAlreadyExists: "PreconditionFailed",
};

export function s3Refusal(
  { statusCode, code, message, headers }: StorageError,
  request: HttpRequest,
): HttpResponse {
  const resource = splitAddress(request.url).path.replace(/^.*?\/s3/, "");
  const body = toXml("Error", { Code: CODES[code] ?? code, Message: message, Resource: resource }, null);
  return {
    status: statusCode,
    headers: {
      "content-type": "application/xml",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
      ...headers,
    },
    body: request.method === "HEAD" ? null : body,
  };
}
