import { withClient } from "#backend/postgres/with-client.ts";
import { deriveKey } from "#backend/tokens/derive-key.ts";
import type { SealingKeys } from "../service/auth-service.ts";
import { unseal } from "./sealed-secret.ts";

/**
 * Decrypts the stored secrets of authenticator apps, for moving to a service that cannot unseal them. Returns how many
 * were opened, and how many stay sealed because no key fits.
 */
export async function openFactors(
  url: string,
  keys: SealingKeys,
): Promise<{ opened: number; sealed: number }> {
  const derived = keys.map((key) => deriveKey(key, "auth")) as [string, ...string[]];
  return withClient(url, "open factors", async (client) => {
    await client.query("begin");
    const { rows } = await client.query<{ id: string; secret: string }>(
      "select id, secret from auth.mfa_factors where secret like 'sealed:%' for update",
    );
    const found = rows.map(({ id, secret }) => ({ id, text: unseal(secret, id, derived) }));
    const open = found.filter(({ text }) => text !== null);
    for (const { id, text } of open)
      await client.query("update auth.mfa_factors set secret = $2 where id = $1", [id, text]);
    await client.query("commit");
    return { opened: open.length, sealed: found.length - open.length };
  });
}
