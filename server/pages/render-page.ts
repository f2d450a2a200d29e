import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, gzipSync } from "node:zlib";
import { prepareContent } from "../http/prepared-content.ts";
import { noteFailedReads } from "./note-failed-reads.ts";
import type { Rendered } from "./page-cache.ts";

/** The site's request handler with the loaders' context; `readAt` is the time that the page states. */
export type SiteHandler = (request: Request, readAt?: number) => Promise<Response>;

/** Placeholder: pages use the canonical host. */
const RENDER_ORIGIN = "http://localhost";

const REVALIDATE = "public, max-age=0, must-revalidate";
const RETRY_AFTER_SECONDS = "5";

/** Renders a page; a 200 that is the same for all visitors is returned ready to cache. */
export async function renderPage(
  handle: SiteHandler,
  key: string,
  common: Record<string, string>,
): Promise<Rendered> {
  const readAt = Date.now();
  const { result: response, failed } = await noteFailedReads(() =>
    handle(new Request(RENDER_ORIGIN + key), readAt),
  );
  await nextTurn();
  const body = Buffer.from(await response.arrayBuffer());
  if (!isKeepable(response)) return toOnce(response, body, common);
  const headers = { ...common, "cache-control": REVALIDATE, ...Object.fromEntries(response.headers) };
  if (isPacked(response))
    return { kind: "content", content: prepareContent({ identity: body, headers, encode: asItIs }), failed };
  const content = prepareContent({
    identity: body,
    headers,
    encode: gzipPage,
    sameness: samenessOf(body, headers, readAt),
  });
  // Brotli is what nearly every browser accepts, and the slowest step: done up front, off the main thread.
  content.replace("br", await compressQuickly(body));
  return { kind: "content", content, failed };
}

/**
 * The page without its timestamp and without the policy's script hashes, which depend on it: equal in all worker
 * processes, so that each recognizes the others' entity tags.
 */
function samenessOf(body: Buffer, headers: Record<string, string>, readAt: number): string {
  const policy = headers["content-security-policy"] ?? "";
  return `${policy.replace(/'sha256-[^']*'/g, "")}\n${body.toString("latin1").replaceAll(String(readAt), "")}`;
}

function isKeepable(response: Response): boolean {
  if (response.status !== 200 || response.headers.has("set-cookie")) return false;
  return !/no-store|private/.test(response.headers.get("cache-control") ?? "");
}

/** A response that is not cached here must not be cached elsewhere. */
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

/** PNGs are already compressed. */
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
