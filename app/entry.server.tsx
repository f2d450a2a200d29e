import { randomBytes } from "node:crypto";
import { text } from "node:stream/consumers";
import { setImmediate as nextTurn } from "node:timers/promises";
import { renderToString } from "react-dom/server";
import {
  type EntryContext,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { sealDocument } from "./content-security-policy.ts";
import { orderHead } from "./order-head.ts";
import { ScriptNonceContext } from "./script-nonce.ts";
import { logContext, siteContext } from "./server-context.ts";

// The server must create contexts with the same copy of the router as the build, since contexts are compared by
// identity.
export { createRequestHandler } from "react-router";
export { createLoadContext } from "./server-context.ts";

/** Logs server errors for the operator. Client errors are reported to the visitor by the response. */
export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
): void {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  context.get(logContext).fault(error);
}

/**
 * Renders a whole document to a string: nothing streams, and the page cache stores strings. The loaders' data, which
 * the router would stream, is appended to the document.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
  loadContext: RouterContextProvider,
) {
  const nonce = randomBytes(16).toString("base64url");
  const { serverHandoffStream, ...rest } = context;
  const data = serverHandoffStream ? await text(serverHandoffStream as never) : "";
  // Reading data and rendering take several milliseconds each; yield to other requests in between.
  await nextTurn();
  const page = renderToString(
    <ScriptNonceContext value={nonce}>
      <ServerRouter context={rest} url={request.url} nonce={nonce} />
    </ScriptNonceContext>,
  );
  await nextTurn();
  const end = page.lastIndexOf("</body>");
  const html = `<!doctype html>${orderHead(page.slice(0, end))}${dataScript(data, nonce)}${page.slice(end)}`;
  headers.set("content-type", "text/html; charset=utf-8");
  if (import.meta.env.DEV) return new Response(html, { status, headers });
  const sealed = sealDocument(html, nonce, loadContext.get(siteContext));
  headers.set("content-security-policy", sealed.policy);
  return new Response(sealed.html, { status, headers });
}

/** What the router's streaming would write, in one piece. */
function dataScript(data: string, nonce: string): string {
  const json = JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const controller = "window.__reactRouterContext.streamController";
  return `<script nonce="${nonce}">${controller}.enqueue(${json});${controller}.close()</script>`;
}
