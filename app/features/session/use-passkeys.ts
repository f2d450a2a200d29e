import type { SessionClient } from "./session-client.ts";
import { useOwnRead } from "./use-own-read.ts";

/** The own passkeys, and how to read them anew; `off` where the service has them switched off. */
export const usePasskeys = () => useOwnRead(readPasskeys);

async function readPasskeys(client: SessionClient) {
  const { data, error } = await client.auth.passkey.list();
  return data ?? (error?.code === "passkey_disabled" ? "off" : "failed");
}

/**
 * Whether this browser can make and use passkeys here: it must know WebAuthn, and the page must have a name, which a bare
 * network address is not. Browsers only.
 */
export function supportsPasskeys(): boolean {
  return "PublicKeyCredential" in window && !/^[\d.]+$|:/.test(location.hostname);
}
