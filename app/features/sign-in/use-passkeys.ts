import type { SessionClient } from "#app/features/session/session-client.ts";
import { useOwnRead } from "#app/features/session/use-own-read.ts";

/** The user's passkeys, and a function to reload them; `off` if the service has them disabled. */
export const usePasskeys = () => useOwnRead(readPasskeys);

async function readPasskeys(client: SessionClient) {
  const { data, error } = await client.auth.passkey.list();
  return data ?? (error?.code === "passkey_disabled" ? "off" : "failed");
}
