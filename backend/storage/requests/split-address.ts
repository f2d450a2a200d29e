/** The path and the query, in which there may be other question marks. */
export function splitAddress(address: string): { path: string; search: string } {
  const at = address.indexOf("?");
  return at < 0
    ? { path: address, search: "" }
    : { path: address.slice(0, at), search: address.slice(at + 1) };
}
