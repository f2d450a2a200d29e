import type { Query } from "#backend/postgres/database.ts";

/** Maximum number of accounts deleted (by cascade) per statement, and of statements per run. */
const AT_ONCE = 500;
const TIMES = 20;

// The session of an anonymous account is its only credential: without a recently used one, nobody can return to it. A
// user who was mailed a code to convert it into a full account also has until then.
const remove = `
  delete from auth.users where id in (
    select users.id from auth.users as users
    where users.is_anonymous
      and greatest(users.created_at, users.last_sign_in_at, users.email_change_sent_at, users.phone_change_sent_at)
        < now() - make_interval(secs => $1)
      and not exists (
        select from auth.sessions as session where session.user_id = users.id
          and greatest(session.created_at, session.refreshed_at at time zone 'utc') >= now() - make_interval(secs => $1)
      )
    limit ${AT_ONCE}
  ) and is_anonymous
  returning id`;

/** Removes anonymous accounts that were not used for `seconds` seconds, with all dependent rows. */
export async function removeUnused(query: Query, seconds: number): Promise<void> {
  for (let times = 0; times < TIMES; times++) {
    if ((await query(remove, [String(seconds)])).length < AT_ONCE) return;
  }
}
