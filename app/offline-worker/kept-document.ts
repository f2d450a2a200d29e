/** Where the page finds the requested query and fragment; see `useAskedQuery`. */
const REPLAY =
  "window.askedFor=location.search+location.hash;history.replaceState(history.state,'',location.pathname)";

/**
 * Prepares a cached document for display: it states its age, so that the page can show it. Documents are cached without
 * query; a requested query is set aside until hydration, since the page was rendered without it.
 */
export async function toShownCopy(kept: Response, hasQuery: boolean): Promise<Response> {
  const date = new Date(kept.headers.get("date") ?? Date.now()).toISOString();
  const html = (await kept.text()).replace("<html ", `<html data-kept="${date}" `);
  if (!hasQuery) return answer(html, kept.headers);
  const headers = new Headers(kept.headers);
  const hash = await hashOf(REPLAY);
  const policy = headers.get("content-security-policy") ?? "";
  headers.set("content-security-policy", policy.replace("script-src 'self'", `script-src 'self' '${hash}'`));
  return answer(html.replace("<head>", `<head><script>${REPLAY}</script>`), headers);
}

/**
 * The page shown instead of one that is not cached. Without scripts, since they would render the route of the requested
 * address; its links lead to cached pages all the same.
 */
export async function toOfflinePage(kept: Response): Promise<Response> {
  const html = (await kept.text())
    .replace(/<script\b[\s\S]*?<\/script>/g, "")
    .replace(/<link rel="modulepreload"[^>]*>/g, "");
  return answer(html, kept.headers, 503);
}

function answer(html: string, kept: Headers, status = 200): Response {
  const headers = new Headers(kept);
  // These headers describe the original bytes, not the changed ones.
  for (const name of ["content-encoding", "content-length", "etag"]) headers.delete(name);
  return new Response(html, { status, headers });
}

async function hashOf(script: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(script));
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}
