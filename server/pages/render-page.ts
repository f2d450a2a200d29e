import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, gzipSync } from "node:zlib";
import { prepareContent } from "../http/prepared-content.ts";
import type { Rendered } from "./page-cache.ts";

/** The site's request handler with its loaders' context in it; `readAt` is what the page states as its moment. */
export type SiteHandler = (request: Request, readAt?: number) => Promise<Response>;

/** Rendering has no host of its own: pages name the canonical one. */
const RENDER_ORIGIN = "http://localhost";

const REVALIDATE = "public, max-age=0, must-revalidate";
const RETRY_AFTER_SECONDS = "5";

/** Renders an address; a 200 that is the same for everyone comes ready to be kept. */
export async function renderPage(
  handle: SiteHandler,
  key: string,
  common: Record<string, string>,
): Promise<Rendered> {
  const readAt = Date.now();
  const response = await handle(new Request(RENDER_ORIGIN + key), readAt);
  await nextTurn();
  const body = Buffer.from(await response.arrayBuffer());
  if (!isKeepable(response)) return toOnce(response, body, common);
  const headers = { ...common, "cache-control": REVALIDATE, ...Object.fromEntries(response.headers) };
  if (isPacked(response))
    return { kind: "content", content: prepareContent({ identity: body, headers, encode: asItIs }) };
  const content = prepareContent({
    identity: body,
    headers,
    encode: gzipPage,
    sameness: samenessOf(body, headers, readAt),
  });
  // What nearly every browser asks for, and the longest work of all: off this thread, before anybody waits for it there.
  content.replace("br", await compressQuickly(body));
  return { kind: "content", content };
}

/**
 * A page without the moment at which it was made, and its policy without the hashes that follow from that: the same in every
 * process, so that each knows the copies that others sent.
 */
function samenessOf(body: Buffer, headers: Record<string, string>, readAt: number): string {
  const policy = headers["content-security-policy"] ?? "";
  return `${policy.replace(/'sha256-[^']*'/g, "")}\n${body.toString("latin1").replaceAll(String(readAt), "")}`;
}

function isKeepable(response: Response): boolean {
  if (response.status !== 200 || response.headers.has("set-cookie")) return false;
  return !/no-store|private/.test(response.headers.get("cache-control") ?? "");
}

/** An answer that is not kept here is not to be kept anywhere. */
export function toOnce(
  response: Response,
  body: Buffer,
  common: Record<string, string>,
): Rendered & { kind: "once" } {
  const headers = new Headers(common);
  for (const [name, value] of response.headers) headers.append(name, value);
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  if (response.status === 503) headers.set("retry-after", RETRY_AFTER_SECONDS);
  return { kind: "once", status: response.status, headers: [...headers], body };
}

/** A picture is compressed already. */
function isPacked(response: Response): boolean {
  return response.headers.get("content-type") === "image/png";
}

const asItIs = () => null;

function gzipPage(body: Buffer): Buffer {
  return gzipSync(body, { level: 6 });
}

/** Good enough for a page's first visitors. */
function compressQuickly(body: Buffer): Promise<Buffer> {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
  return promisify(brotliCompress)(body, {
    params: { [BROTLI_PARAM_QUALITY]: 7, [BROTLI_PARAM_SIZE_HINT]: body.length },
  });
}
