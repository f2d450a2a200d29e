import { isForeign, type KeptKind, keptKind, pageOfData } from "./kept-kind.ts";
import { type BuildFacts, OFFLINE_PAGE } from "./worker-scope.ts";

// A page that cannot be loaded and of which there is no copy: the reader sees the offline page at its address, however
// they got there. In an open page the router asks for code and data, never for a document; if they fail, it reloads the
// page that is about to be left, or says that the site is broken. So the answers make it load the document.

/** In place of a document: the page that says that there is no connection. */
export async function findOfflinePage(cacheName: string): Promise<Response> {
  const page = await (await caches.open(cacheName)).match(OFFLINE_PAGE);
  return page ? toOfflinePage(page) : Response.error();
}

/**
 * Back to an address that the router set in the same document changes nothing else: the document there must be loaded.
 */
const FOLLOW_ADDRESS = 'addEventListener("popstate",()=>location.reload())';

/**
 * Without the page's own scripts, since they would render the route of the requested address; its links lead to cached
 * pages all the same.
 */
async function toOfflinePage(kept: Response): Promise<Response> {
  const html = (await kept.text())
    .replace(/<script\b[\s\S]*?<\/script>/g, "")
    .replace(/<link rel="modulepreload"[^>]*>/g, "");
  return answerWith(FOLLOW_ADDRESS, html, kept.headers, 503);
}

/** A cached document, changed, with one more script at its start, which its policy allows. */
export async function answerWith(script: string, html: string, kept: Headers, status = 200) {
  const headers = new Headers(kept);
  const hash = await hashOf(script);
  const policy = headers.get("content-security-policy") ?? "";
  headers.set("content-security-policy", policy.replace("script-src 'self'", `script-src 'self' '${hash}'`));
  return answer(html.replace("<head>", `<head><script>${script}</script>`), headers, status);
}

async function hashOf(script: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(script));
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}

/** A cached document, changed. */
export function answer(html: string, kept: Headers, status = 200): Response {
  const headers = new Headers(kept);
  // These headers describe the original bytes, not the changed ones.
  for (const name of ["content-encoding", "content-length", "etag"]) headers.delete(name);
  return new Response(html, { status, headers });
}

/** Fails like a request without an answer if a network answered in the site's place. */
export function refuseForeign(kind: KeptKind, response: Response): Response {
  if (isForeign(kind, response)) throw new TypeError("The site did not answer");
  return response;
}

/** Whether the router asks for the data of a page that is never cached. */
export function isLostData(request: Request, origin: string): boolean {
  const { pathname } = new URL(request.url);
  return request.method === "GET" && pathname.endsWith(".data") && keptKind(request, origin) === null;
}

/** In place of a page's data: the router's own answer for a redirect to a document. */
export function toDocument({ url }: Request): Response {
  const { pathname, searchParams } = new URL(url);
  searchParams.delete("_routes");
  const path = pageOfData(pathname) + (searchParams.size > 0 ? `?${searchParams}` : "");
  const headers = { "X-Remix-Redirect": path, "X-Remix-Status": "302", "X-Remix-Reload-Document": "true" };
  return new Response(null, { status: 204, headers });
}

/**
 * Once the router shows it, the address is the new page's. While a document itself is loading, it just lacks its code:
 * loading it again could go on forever.
 */
const LOAD_DOCUMENT = `if (document.readyState !== "complete") throw new TypeError("The page's code cannot be loaded");
const load = () => (location.reload(), null);
export { load as default, load as ErrorBoundary };`;

/** In place of a page's code. Undefined for all other files, which the open page misses itself. */
export function findCode({ url }: Request, { routes }: BuildFacts): Response | undefined {
  if (!routes.includes(new URL(url).pathname)) return undefined;
  return new Response(LOAD_DOCUMENT, { headers: { "content-type": "text/javascript" } });
}
