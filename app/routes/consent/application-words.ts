/** Where the browser is sent with the answer, in display form. */
export function placeOf(address: string): string {
  const { protocol, host, hostname } = new URL(address);
  if (["localhost", "127.0.0.1", "[::1]"].includes(hostname)) return "a program on this device";
  return protocol === "https:" ? host : `an app on this device (${protocol})`;
}

/** The application's own name, or the answer's target if it has none. */
export function nameOf({ name }: { name: string }, address: string): string {
  return name.trim() || placeOf(address);
}
