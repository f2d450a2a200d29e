import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { collect } from "#backend/http/read-body.ts";
import { isPrivateHost, lookUpPublic, notPublic } from "./public-address.ts";

const TIMEOUT_MS = 8_000;
const MAX_BYTES = 500_000;

type Options = { method?: string; headers?: HeadersInit; body?: unknown };

/**
 * `fetch` for provider URLs: follows no redirects, times out after 8 s and reads at most 500 kB. With `publicOnly`, it
 * never connects to a private network address, whatever a name resolves to.
 */
export function createProviderFetch({ publicOnly }: { publicOnly: boolean }) {
  return (address: string, { method = "GET", headers, body }: Options = {}): Promise<Response> =>
    new Promise((resolve, reject) => {
      const url = new URL(address);
      if (publicOnly && isPrivateHost(url)) throw notPublic();
      const options = {
        method,
        headers: { "user-agent": "auth", ...Object.fromEntries(new Headers(headers)) },
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(publicOnly && { lookup: lookUpPublic }),
      };
      const send = url.protocol === "https:" ? requestHttps : requestHttp;
      const request = send(url, options, (response) => {
        readAll(response).then((bytes) => resolve(toResponse(response, bytes)), reject);
      });
      request.once("error", reject);
      request.end(body == null ? undefined : String(body));
    });
}

async function readAll(response: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await collect(response, MAX_BYTES);
  if (!bytes) throw new Error("the provider's answer is too long");
  return bytes;
}

function toResponse(
  { statusCode = 502, headers }: IncomingMessage,
  bytes: Uint8Array<ArrayBuffer>,
): Response {
  const mayHaveBody = statusCode !== 204 && statusCode !== 205 && statusCode !== 304;
  const type = headers["content-type"];
  return new Response(mayHaveBody ? bytes : null, {
    status: statusCode,
    headers: {
      ...(type && { "content-type": type }),
      ...(headers["www-authenticate"] && { "www-authenticate": headers["www-authenticate"] }),
    },
  });
}
