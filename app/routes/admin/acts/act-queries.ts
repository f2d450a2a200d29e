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
  /** Whether there are older ones. */
  hasMore: boolean;
  /** The names of the users in these actions, by id. */
  names: Record<string, string>;
};

/** The actions before the given one, or the newest ones, newest first. @throws the service's error */
export async function readActs(client: SessionClient, filter: ActFilter, before?: number): Promise<ActPage> {
  let query = client.from("admin_acts").select("*").order("id", { ascending: false }).limit(PAGE);
  if (filter.adminId === OPERATOR) query = query.is("admin_id", null);
  else if (filter.adminId) query = query.eq("admin_id", filter.adminId);
  if (filter.table) query = query.eq("table_name", filter.table);
  if (before !== undefined) query = query.lt("id", before);
  const { data: acts } = await query.throwOnError();
  const ids = acts.flatMap(({ admin_id, person_id }) => [admin_id, person_id]);
  const names = Object.fromEntries(await readNames(client, ids));
  return { acts, hasMore: acts.length === PAGE, names };
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
