import { createHash } from "node:crypto";
import type { SiteConfig } from "#app/features/site/site-config.ts";

/** A document as it is sent: the nonces of its inline scripts are replaced by a policy with their hashes. */
export type SealedDocument = { html: string; policy: string };

/** Where the browser's client finds the backend (empty: the page's own host), and which captcha the forms show. */
type Sources = Pick<SiteConfig, "supabaseUrl" | "captcha">;

/** The server's endpoint for reports, `server/site/policy-reports.ts`; older browsers support only `report-uri`. */
const REPORTS_PATH = "/policy-reports";

/** The hosts that each provider's documentation requires. */
const CAPTCHA_HOSTS = {
  hcaptcha: " https://hcaptcha.com https://*.hcaptcha.com",
  turnstile: " https://challenges.cloudflare.com",
};

/**
 * Allows exactly the inline scripts that carry the nonce, by their hashes. The nonce must be random per render: it
 * distinguishes our scripts from any injected through a value.
 */
export function sealDocument(html: string, nonce: string, site: Sources): SealedDocument {
  const hashes = findMarkedScripts(html, nonce).map(
    (script) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`,
  );
  return {
    html: html.replaceAll(` nonce="${nonce}"`, ""),
    policy: formatPolicy([...new Set(hashes)], site),
  };
}

function findMarkedScripts(html: string, nonce: string): string[] {
  const opening = new RegExp(`<script(?=[^>]* nonce="${nonce}")(?![^>]* src=)[^>]*>`, "g");
  return [...html.matchAll(opening)].map((match) => {
    const start = match.index + match[0].length;
    return html.slice(start, html.indexOf("</script>", start));
  });
}

function formatPolicy(hashes: string[], { supabaseUrl: backendUrl, captcha }: Sources): string {
  const maker = captcha ? CAPTCHA_HOSTS[captcha.maker] : "";
  const backend = URL.canParse(backendUrl) ? new URL(backendUrl) : null;
  const http = backend ? ` ${backend.origin}` : "";
  const socket = backend ? ` ${backend.origin.replace(/^http/, "ws")}` : "";
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(" ")}`.trim() + maker,
    `style-src 'self'${maker}`,
    `img-src 'self' data: blob:${http}`,
    "font-src 'self'",
    `connect-src 'self'${http}${socket}${maker}`,
    `frame-src 'self'${maker}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    `report-uri ${REPORTS_PATH}`,
  ].join("; ");
}
