import { createHash } from "node:crypto";

/** A document whose inline scripts were marked by a nonce, as it is sent: without the marks, with a policy instead. */
export type SealedDocument = { html: string; policy: string };

/**
 * Allows exactly the inline scripts that carry the nonce, by their hashes. The nonce must be random for each render:
 * it tells our scripts from any that reached the page inside a value. `backendUrl` is where the browser's client
 * finds the backend, empty for the page's own host.
 */
export function sealDocument(html: string, nonce: string, backendUrl: string): SealedDocument {
  const hashes = findMarkedScripts(html, nonce).map(
    (script) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`,
  );
  return {
    html: html.replaceAll(` nonce="${nonce}"`, ""),
    policy: formatPolicy([...new Set(hashes)], backendUrl),
  };
}

function findMarkedScripts(html: string, nonce: string): string[] {
  const opening = new RegExp(`<script(?=[^>]* nonce="${nonce}")(?![^>]* src=)[^>]*>`, "g");
  return [...html.matchAll(opening)].map((match) => {
    const start = match.index + match[0].length;
    return html.slice(start, html.indexOf("</script>", start));
  });
}

function formatPolicy(hashes: string[], backendUrl: string): string {
  const backend = URL.canParse(backendUrl) ? new URL(backendUrl) : null;
  const http = backend ? ` ${backend.origin}` : "";
  const socket = backend ? ` ${backend.origin.replace(/^http/, "ws")}` : "";
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(" ")}`.trim(),
    "style-src 'self'",
    `img-src 'self' data: blob:${http}`,
    "font-src 'self'",
    `connect-src 'self'${http}${socket}`,
    "frame-src 'self'",
    "manifest-src 'self'",
    "worker-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
