import { isIPv6 } from "node:net";

const GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * The network that rate limits count by: an IPv4 address, or the first 64 bits of an IPv6 one (RFC 4291 §2.5.4), since
 * a client usually controls its whole /64.
 */
export function networkOf(address: string | null): string | null {
  // With a dot it is an IPv4-mapped address.
  if (address === null || address.includes(".") || !isIPv6(address)) return address;
  const [before = "", after] = address.toLowerCase().split("::");
  const left = before.split(":").filter(Boolean);
  const right = after?.split(":").filter(Boolean) ?? [];
  const groups = [...left, ...Array(GROUPS - left.length - right.length).fill("0"), ...right];
  return groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}
