import type { IncomingMessage } from "node:http";

/** A name, an IPv4 address, or an IPv6 address in brackets, and maybe a port; nothing at all is a host too (RFC 9112 §3.2). */
const HOST = /^(\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(:\d{0,5})?$/i;

/** Whether a request names one host, or none as before HTTP/1.1; node itself refuses a later one without. */
export function hasOneHost({
  headers,
  rawHeaders,
}: Pick<IncomingMessage, "headers" | "rawHeaders">): boolean {
  let named = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === "host") named++;
  }
  return named <= 1 && HOST.test(headers.host ?? "");
}
