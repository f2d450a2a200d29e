import type { SessionClient } from "./session-client.ts";
import { useOwnRead } from "./use-own-read.ts";

/** The own passkeys, and how to read them anew; `off` where the service has them switched off. */
export const usePasskeys = () => useOwnRead(readPasskeys);

async function readPasskeys(client: SessionClient) {
  const { data, error } = await client.auth.passkey.list();
  return data ?? (error?.code === "passkey_disabled" ? "off" : "failed");
}
