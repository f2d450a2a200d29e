import { isAllowed } from "../requests/redirect.ts";
import type { AuthConfig } from "../service/auth-config.ts";
import type { Chain, WalletMessage } from "./wallet-message.ts";

/**
 * Why a signed message cannot be used to sign in, or null: it must be meant for this site, and be current. `validity`
 * is in seconds since the message was issued.
 */
export function findMessageFault(
  { uri, domain, issuedAt, expiresAt, notBefore }: WalletMessage,
  { chain, validity, config }: { chain: Chain; validity: number; config: AuthConfig },
): string | null {
  const name = { ethereum: "Ethereum", solana: "Solana" }[chain];
  const signed = `Signed ${name} message`;
  if (uri.protocol !== "https:" && !(uri.protocol === "http:" && uri.hostname === "localhost")) {
    return `${signed} is using URI which does not use HTTPS`;
  }
  if (!isAllowed(uri.href, config)) {
    return `${signed} is using URI which is not allowed on this server, message was signed for another app`;
  }
  // The wallet shows the domain to its owner.
  if (uri.host !== domain) {
    return `${signed} is using a Domain that does not match the one in URI which is not allowed on this server`;
  }
  const now = Date.now();
  if (notBefore && now < notBefore.getTime()) return `${signed} becomes valid in the future`;
  if (expiresAt && now > expiresAt.getTime()) return `${signed} is expired`;
  if (now > issuedAt.getTime() + validity * 1000) return `${name} message was issued too long ago`;
  if (now < issuedAt.getTime() - validity * 1000) return `${name} message was issued too far in the future`;
  return null;
}
