import { GUARDS } from "#backend/http/guarded-server.ts";

/**
 * Headers of every response, including those of the services, those of Node itself, and those to malformed requests.
 */
export function commonHeaders(overHttps: boolean): Record<string, string> {
  return { ...guards(overHttps), ...NO_FRAME };
}

/** For responses without a policy of their own: no other site can show them in a frame. */
const NO_FRAME = { "content-security-policy": "frame-ancestors 'none'" };

function guards(overHttps: boolean): Record<string, string> {
  return { ...GUARDS, ...(overHttps ? { "strict-transport-security": "max-age=31536000" } : {}) };
}

/** Headers for the site's own responses; a document's policy is made with the document. */
export function securityHeaders(overHttps: boolean): Record<string, string> {
  return {
    ...guards(overHttps),
    "referrer-policy": "strict-origin-when-cross-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    // Only if the operator configured https: on plain http, browsers ignore this header and warn about it.
    ...(overHttps ? { "cross-origin-opener-policy": "same-origin" } : {}),
  };
}
