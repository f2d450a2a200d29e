/** Where a browser goes with the answer, as people read it. */
export function placeOf(address: string): string {
  const { protocol, host, hostname } = new URL(address);
  if (["localhost", "127.0.0.1", "[::1]"].includes(hostname)) return "a program on this device";
  return protocol === "https:" ? host : `an app on this device (${protocol})`;
}

/** What an application calls itself; where the answer goes, if it says nothing. */
export function nameOf({ name }: { name: string }, address: string): string {
  return name.trim() || placeOf(address);
}
