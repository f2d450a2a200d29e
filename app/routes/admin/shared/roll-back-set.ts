import type { SessionClient } from "#app/features/session/session-client.ts";

/**
 * Takes back what was published as one; returns the number of values. If it is taken back already, as by an attempt whose
 * answer was lost, that counts. @throws the service's error
 */
export async function rollBackSet(client: SessionClient, id: string): Promise<number> {
  const { data, error } = await client.rpc("roll_back_value_set", { set_id: id });
  if (!error) return data;
  const values = client.from("value_proposals").select("id", { count: "exact", head: true });
  const { count } = await values.match({ set_id: id, state: "rolled_back" });
  if (!count) throw error;
  return count;
}
