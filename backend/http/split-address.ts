/** Splits a request's URL into path and query, at the first question mark. */
export function splitAddress(address: string): { path: string; query: string } {
  const at = address.indexOf("?");
  return at < 0 ? { path: address, query: "" } : { path: address.slice(0, at), query: address.slice(at + 1) };
}
