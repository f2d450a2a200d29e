import { Readable } from "node:stream";
import type { HttpRequest } from "#backend/http/http-message.ts";
import { originOf, splitAddress } from "#backend/http/split-address.ts";
import type { Reply } from "../../requests/call.ts";
import { firstFile } from "../../requests/read-form.ts";
import { invalidArgument, StorageError, tooLarge } from "../../storage-error.ts";
import type { StorageService } from "../../storage-service.ts";
import { requireUnderstood } from "../require-understood.ts";
import { nameOf, type S3Call } from "../s3-call.ts";
import { encode } from "../signature.ts";
import { toHeaders } from "../signed-headers.ts";
import { xmlReply } from "../xml.ts";
import { type FormFields, readPolicy, requirePolicy, type SizeRange } from "./form-policy.ts";
import { putObject } from "./objects.ts";

/** Amazon's forms have 20 KB of fields at most. */
const FIELDS = { fields: 40, fieldSize: 20_000 };

/** Whether a request uploads by a form, whose signature is one of its fields (POST /{bucket}). */
export function isForm({ method, headers }: HttpRequest, query: URLSearchParams): boolean {
  const isSignedElsewhere = headers.authorization !== undefined || query.has("X-Amz-Signature");
  return (
    method === "POST" && !isSignedElsewhere && /^multipart\/form-data\b/i.test(headers["content-type"] ?? "")
  );
}

/** Who signed the fields, and acts by them. */
export type FindSigner = (fields: FormFields) => Promise<Pick<S3Call, "actor" | "signature" | "sign">>;

/**
 * Stores the form's file. The fields before it are what headers are in other requests; each must be allowed by the
 * policy, which is what was signed.
 * @throws StorageError 403 for what the policy does not allow
 */
export async function postForm(
  request: HttpRequest,
  { bucket, query }: { bucket: string; query: URLSearchParams },
  service: StorageService,
  findSigner: FindSigner,
): Promise<Reply> {
  const { content, filename, fields: sent } = await firstFile(request, FIELDS);
  const fields: FormFields = new Map([...sent].map(([name, value]) => [name.toLowerCase(), value]));
  const signer = await findSigner(fields);
  fields.set("bucket", bucket);
  const range = requirePolicy(readPolicy(fields.get("policy") ?? ""), fields);
  const named = fields.get("key") ?? "";
  if (named === "") throw invalidArgument("Bucket POST must contain a field named 'key'");
  const key = named.replace(/\$\{filename\}/g, () => filename.replace(/^.*[/\\]/s, ""));
  // Nothing of it is read, and so nothing fails, before somebody listens.
  const stream = Readable.from(within(content, range), { objectMode: false });
  const described = [...fields].filter(([name]) => DESCRIBING.includes(name) || name.startsWith("x-amz-"));
  const asHeaders = { ...request, headers: toHeaders(described), stream };
  const call: S3Call = { ...signer, request: asHeaders, query, bucket, key: nameOf(key) };
  requireUnderstood(call, undefined, {});
  const { headers } = await putObject(call, service);
  return answer(fields, {
    Location: `${originOf(request)}${splitAddress(request.url).path.replace(/\/$/, "")}/${key.split("/").map(encode).join("/")}`,
    Bucket: bucket,
    Key: key,
    ETag: headers?.etag ?? "",
  });
}

const DESCRIBING = ["content-type", "content-md5", "content-encoding", "cache-control"];

/** Fails if the file is larger, or at its end smaller. */
async function* within(content: Readable, { least, most }: SizeRange): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of content as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) throw tooLarge();
    yield chunk;
  }
  if (size < least) throw tooSmall();
}

const tooSmall = () =>
  new StorageError(400, "EntityTooSmall", "Your proposed upload is smaller than the minimum allowed size");

type Stored = { Location: string; Bucket: string; Key: string; ETag: string };

function answer(fields: FormFields, stored: Stored): Reply {
  const headers = { etag: stored.ETag, location: stored.Location };
  const status = fields.get("success_action_status");
  if (status === "201") return { ...xmlReply("PostResponse", stored, headers), status: 201 };
  return { status: status === "200" ? 200 : 204, headers };
}
