import type { Query } from "#backend/postgres/database.ts";
import { removeAccounts } from "./remove-accounts.ts";

/** Maximum number of accounts removed per run. */
const AT_MOST = 10_000;

// The session of an anonymous account is its only credential: without a recently used one, nobody can return to it. A
// user who was mailed a code to convert it into a full account also has until then.
const unused = `
  users.is_anonymous and users.deleted_at is null
    and greatest(users.created_at, users.last_sign_in_at, users.email_change_sent_at, users.phone_change_sent_at)
      < now() - make_interval(secs => $1)
    and not exists (
      select from auth.sessions as session where session.user_id = users.id
        and greatest(session.created_at, session.refreshed_at at time zone 'utc') >= now() - make_interval(secs => $1)
    )`;

/** Removes anonymous accounts that were not used for `seconds` seconds, with all dependent rows. */
export async function removeUnused(query: Query, seconds: number): Promise<void> {
  const since = String(seconds);
  const found = await query(`select id from auth.users as users where ${unused} limit ${AT_MOST}`, [since]);
  await removeAccounts(
    found.map(({ id }) => id as string),
    (ids) => query(`delete from auth.users as users where id = any ($2::uuid[]) and ${unused}`, [since, ids]),
  );
}
