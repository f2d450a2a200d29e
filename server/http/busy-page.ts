import { hash } from "node:crypto";
import type { ServerResponse } from "node:http";

const RETRY_AFTER_SECONDS = "5";

const STYLE =
  ":root{color-scheme:light dark}body{max-width:32rem;margin:20vh auto;padding:0 1.5rem;font:1.125rem/1.6 system-ui,sans-serif}";
const POLICY = `default-src 'none'; style-src 'sha256-${hash("sha256", STYLE, "base64")}'`;

const SENTENCES = {
  429: "Too many pages were opened from here at once. Wait a few seconds, then load this page again.",
  503: "The harbor is very crowded right now. Wait a few seconds, then load this page again.",
} as const;

/** Asks the visitor to come back later, without rendering a page, since rendering is what is overloaded. */
export function sendBusy(response: ServerResponse, status: 429 | 503, common: Record<string, string>): void {
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Please wait a moment</title><style>${STYLE}</style><h1>Please wait a moment</h1><p>${SENTENCES[status]}</p></html>`;
  response
    .writeHead(status, {
      ...common,
      "content-type": "text/html; charset=utf-8",
      "content-length": String(Buffer.byteLength(page)),
      "content-security-policy": POLICY,
      "cache-control": "no-store",
      "retry-after": RETRY_AFTER_SECONDS,
    })
    .end(page);
}
