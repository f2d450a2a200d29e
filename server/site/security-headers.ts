import { GUARDS } from "#backend/http/guarded-server.ts";

/** What every answer carries, also those of the services, of node itself, and to what is no request. */
export function everyAnswersHeaders(overHttps: boolean): Record<string, string> {
  return { ...guards(overHttps), ...NO_FRAME };
}

/** Of what has no policy of its own: no page elsewhere shows it in a frame. */
const NO_FRAME = { "content-security-policy": "frame-ancestors 'none'" };

function guards(overHttps: boolean): Record<string, string> {
  return { ...GUARDS, ...(overHttps ? { "strict-transport-security": "max-age=31536000" } : {}) };
}

/** Headers for the site's own answers; the policy for documents is made with the document. */
export function securityHeaders(overHttps: boolean): Record<string, string> {
  return {
    ...guards(overHttps),
    "referrer-policy": "strict-origin-when-cross-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    // Only where the operator said that the site is served by https: on plain http browsers ignore these and complain.
    ...(overHttps ? { "cross-origin-opener-policy": "same-origin" } : {}),
  };
}
