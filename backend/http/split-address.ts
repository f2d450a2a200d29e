/** Splits a request's URL into path and query, at the first question mark. */
export function splitAddress(address: string): { path: string; query: string } {
  const at = address.indexOf("?");
  return at < 0 ? { path: address, query: "" } : { path: address.slice(0, at), query: address.slice(at + 1) };
}

/**
 * Where the caller reached the server, `https://example.com`. The Host header is untrusted, so only a plain host name
 * and port are accepted.
 */
export function originOf({ headers }: { headers: Readonly<Record<string, string>> }): string {
  const host = /^[\w.-]+(?::\d{1,5})?$/.test(headers.host ?? "") ? headers.host : "localhost";
  const scheme = headers["x-forwarded-proto"] === "https" ? "https" : "http";
  return `${scheme}://${host}`;
}
