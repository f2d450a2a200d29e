/** Headers for every answer of the site; the policy for documents is made with the document. */
export function securityHeaders(overHttps: boolean): Record<string, string> {
  return {
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    // Only where the operator said that the site is served by https: on plain http browsers ignore these and complain.
    ...(overHttps
      ? { "cross-origin-opener-policy": "same-origin", "strict-transport-security": "max-age=31536000" }
      : {}),
  };
}
