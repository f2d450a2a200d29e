/** Where the page finds what its address asked for beside the path; see `useAskedQuery`. */
const REPLAY =
  "window.askedFor=location.search+location.hash;history.replaceState(history.state,'',location.pathname)";

/**
 * A kept document as it is shown: it says of when it is, so that the page can. Kept is the page without a query; a query
 * is put aside until the page is alive, since the page would not be the one that was rendered.
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
 * The page that stands for one that is not kept. Without scripts, since they would look for the page of its address; its
 * links lead to kept pages as they are.
 */
export async function toOfflinePage(kept: Response): Promise<Response> {
  const html = (await kept.text())
    .replace(/<script\b[\s\S]*?<\/script>/g, "")
    .replace(/<link rel="modulepreload"[^>]*>/g, "");
  return answer(html, kept.headers, 503);
}

function answer(html: string, kept: Headers, status = 200): Response {
  const headers = new Headers(kept);
  // Of the bytes as they came, not as they are now.
  for (const name of ["content-encoding", "content-length", "etag"]) headers.delete(name);
  return new Response(html, { status, headers });
}

async function hashOf(script: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(script));
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}
