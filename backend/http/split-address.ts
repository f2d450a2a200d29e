/** The path of a request's address and its query, in which there may be other question marks. */
export function splitAddress(address: string): { path: string; query: string } {
  const at = address.indexOf("?");
  return at < 0 ? { path: address, query: "" } : { path: address.slice(0, at), query: address.slice(at + 1) };
}
