import { lookup } from "node:dns";
import { lookup as lookUp } from "node:dns/promises";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { validationFailed } from "../auth-error.ts";

const PRIVATE = new BlockList();
for (const range of [
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24",
  "192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4",
  "::/127 64:ff9b::/96 2001:db8::/32 2002::/16 fc00::/7 fe80::/10 ff00::/8",
].flatMap((line) => line.split(" "))) {
  const [network = "", bits] = range.split("/");
  PRIVATE.addSubnet(network, Number(bits), network.includes(":") ? "ipv6" : "ipv4");
}

/** Also handles IPv4-mapped IPv6 addresses. */
function isPrivate(address: string): boolean {
  return PRIVATE.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

/** Checked at connection time, since a name may resolve differently than before. */
export const lookUpPublic: LookupFunction = (host, options, done) => {
  lookup(host, { ...options, all: true }, (error, found) => {
    if (error) return done(error, "");
    if (found.length === 0 || found.some(({ address }) => isPrivate(address))) return done(notPublic(), "");
    if (options.all) return done(null, found);
    done(null, found[0]?.address ?? "", found[0]?.family);
  });
};

export function notPublic(): Error {
  return new Error("the provider's address is not a public one");
}

/** Whether a URL's host is a private IP address. */
export function isPrivateHost({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  return isIP(host) !== 0 && isPrivate(host);
}

/**
 * Reports early what a connection would refuse anyway.
 * @throws AuthError 400 for a URL without https, or on a private network
 */
export async function requirePublicAddresses(
  addresses: readonly string[],
  { privateAddresses }: { privateAddresses: boolean },
): Promise<void> {
  for (const address of addresses) {
    if (!URL.canParse(address)) throw validationFailed("URL is not valid");
    if (privateAddresses) continue;
    const url = new URL(address);
    if (url.protocol !== "https:") throw validationFailed("URL must use HTTPS");
    const found = isPrivateHost(url)
      ? null
      : await lookUp(url.hostname.replace(/^\[|\]$/g, ""), { all: true }).catch(() => []);
    if (found === null || found.some((one) => isPrivate(one.address))) {
      throw validationFailed("URL cannot resolve to private network addresses");
    }
  }
}
