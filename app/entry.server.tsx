import { renderToString } from "react-dom/server";
import { type EntryContext, ServerRouter } from "react-router";

export { createLoadContext } from "./server-context.ts";

/** Renders a whole document at once: nothing here streams, and a string is what the page cache keeps. */
export default function handleRequest(request: Request, status: number, headers: Headers, context: EntryContext) {
  const html = renderToString(<ServerRouter context={context} url={request.url} />);
  headers.set("content-type", "text/html; charset=utf-8");
  return new Response(`<!doctype html>${html}`, { status, headers });
}
