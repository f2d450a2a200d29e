import type { SessionClient } from "#app/features/session/session-client.ts";

/** What a parent's link is about. */
export type Child = {
  username: string;
  state: "asked" | "allowed" | "refused" | "withdrawn";
  changed_at: string;
  expires_at: string;
};

/** The code for a link that is wrong, has expired, or was deleted with the account. */
export const INVALID = "PT404";

/** Null if the link is wrong or has expired. @throws the service's error */
export async function readChild(client: SessionClient, key: string): Promise<Child | null> {
  const { data, error } = await client.rpc("show_to_parent", { key }).maybeSingle();
  if (error && error.code !== INVALID) throw error;
  return data as Child | null;
}
