import type { SessionClient } from "#app/features/session/session-client.ts";
import type { Tables } from "#supabase/database.types.ts";

export type Act = Tables<"admin_acts">;

/** Empty for everybody and everything. */
export type ActFilter = { adminId: string; table: string };

/** Acts in one read. */
const PAGE = 100;

export type ActPage = {
  acts: Act[];
  /** There may be older ones. */
  hasMore: boolean;
  /** The names of the people in these acts, by id. */
  names: Record<string, string>;
};

/** The acts before one, newest first; from the newest on without one. @throws the service's error */
export async function readActs(client: SessionClient, filter: ActFilter, before?: number): Promise<ActPage> {
  let query = client.from("admin_acts").select("*").order("id", { ascending: false }).limit(PAGE);
  if (filter.adminId) query = query.eq("admin_id", filter.adminId);
  if (filter.table) query = query.eq("table_name", filter.table);
  if (before !== undefined) query = query.lt("id", before);
  const { data: acts } = await query.throwOnError();
  const ids = acts.flatMap(({ admin_id, person_id }) => [admin_id, person_id]).filter((id) => id !== null);
  return { acts, hasMore: acts.length === PAGE, names: await readNames(client, [...new Set(ids)]) };
}

/** The admins of today, by name. @throws the service's error */
export async function readAdmins(client: SessionClient): Promise<{ id: string; username: string }[]> {
  const { data } = await client.from("user_roles").select("user_id").eq("role", "admin").throwOnError();
  const names = await readNames(
    client,
    data.map(({ user_id }) => user_id),
  );
  return Object.entries(names)
    .map(([id, username]) => ({ id, username }))
    .sort((a, b) => a.username.localeCompare(b.username));
}

async function readNames(client: SessionClient, ids: string[]): Promise<Record<string, string>> {
  if (ids.length === 0) return {};
  const { data } = await client.from("profiles").select("id, username").in("id", ids).throwOnError();
  return Object.fromEntries(data.map(({ id, username }) => [id, username]));
}
