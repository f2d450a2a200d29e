import type { SessionClient } from "#app/features/session/session-client.ts";
import { readNames } from "#app/routes/admin/shared/read-names.ts";
import type { Tables } from "#supabase/database.types.ts";

export type Act = Tables<"admin_acts">;

/** Empty strings mean everyone and everything; `OPERATOR` means actions without an account. */
export type ActFilter = { adminId: string; table: string };
export const OPERATOR = "operator";

/** Actions per page. */
const PAGE = 100;

export type ActPage = {
  acts: Act[];
  /** The first of the next page. */
  older: Act | null;
  /** The names of the users, categories and game updates in these actions, by id. */
  names: Record<string, string>;
};

/** The actions before the given one, or the newest ones, newest first. @throws the service's error */
export async function readActs(client: SessionClient, filter: ActFilter, before?: number): Promise<ActPage> {
  let query = client
    .from("admin_acts")
    .select("*")
    .order("id", { ascending: false })
    .limit(PAGE + 1);
  if (filter.adminId === OPERATOR) query = query.is("admin_id", null);
  else if (filter.adminId) query = query.eq("admin_id", filter.adminId);
  if (filter.table) query = query.eq("table_name", filter.table);
  if (before !== undefined) query = query.lt("id", before);
  const { data } = await query.throwOnError();
  const acts = data.slice(0, PAGE);
  const ids = acts.flatMap(({ admin_id, person_id }) => [admin_id, person_id]);
  const [people, ...rows] = await Promise.all([
    readNames(client, ids),
    readRowNames(client, "categories", idsIn(acts, "category_id")),
    readRowNames(client, "game_updates", idsIn(acts, "update_id")),
  ]);
  return { acts, older: data[PAGE] ?? null, names: Object.fromEntries([...people, ...rows.flat()]) };
}

/** The ids of this column in the rows of actions. */
function idsIn(acts: readonly Act[], column: string): string[] {
  const rows = acts.flatMap((act) => [act.old, act.new]) as (Record<string, string | null> | null)[];
  return [...new Set(rows.flatMap((row) => row?.[column] ?? []))];
}

async function readRowNames(
  client: SessionClient,
  table: "categories" | "game_updates",
  ids: readonly string[],
): Promise<[id: string, name: string][]> {
  if (ids.length === 0) return [];
  const { data } = await client.from(table).select("id, name").in("id", ids).throwOnError();
  return data.map(({ id, name }) => [id, name]);
}

/** Everyone who was ever granted the admin role and still has an account, by name. @throws the service's error */
export async function readAdmins(client: SessionClient): Promise<{ id: string; username: string }[]> {
  const { data } = await client
    .from("admin_acts")
    .select("person_id")
    .eq("table_name", "user_roles")
    .eq("act", "insert")
    .not("person_id", "is", null)
    .throwOnError();
  const names = await readNames(
    client,
    data.map(({ person_id }) => person_id),
  );
  return [...names]
    .map(([id, username]) => ({ id, username }))
    .sort((a, b) => a.username.localeCompare(b.username));
}
