import type { Query } from "#backend/postgres/database.ts";

/** Accounts that one statement removes with all that depends on them, and statements of one run. */
const AT_ONCE = 500;
const TIMES = 20;

// The session of an anonymous account is its only key: without one that was lately used, nobody comes back to it. Whoever
// was mailed a code to turn it into a full one has until then, too.
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

/** Removes anonymous accounts that nobody used for so many seconds, and all that hangs on them. */
export async function removeUnused(query: Query, seconds: number): Promise<void> {
  for (let times = 0; times < TIMES; times++) {
    if ((await query(remove, [String(seconds)])).length < AT_ONCE) return;
  }
}
