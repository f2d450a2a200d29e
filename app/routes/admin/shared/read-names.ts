import type { Client } from "#app/features/site/client.ts";

/** Usernames by id; deleted accounts are left out. @throws the service's error */
export async function readNames(
  client: Client,
  ids: readonly (string | null)[],
): Promise<Map<string, string>> {
  const asked = [...new Set(ids)].filter((id) => id !== null);
  if (asked.length === 0) return new Map();
  const { data } = await client.from("profiles").select("id, username").in("id", asked).throwOnError();
  return new Map(data.map(({ id, username }) => [id, username]));
}
