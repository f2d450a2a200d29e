import { networkOf } from "#backend/http/network-of.ts";
import type { Query, Row } from "#backend/postgres/database.ts";
import { removeAccounts } from "./remove-accounts.ts";

const DAY = 24 * 3600;
/** This many unconfirmed accounts from one network count as created in bulk. */
const BULK = 20;
/** Maximum number of accounts examined per run. */
const AT_MOST = 10_000;

// Sign-ups only: accounts that an operator created or invited are kept.
const find = `
  select users.id,
    requested.at < now() - make_interval(secs => $2) as is_old,
    (
      select json_agg(distinct entry.ip_address) from auth.audit_log_entries as entry
      where entry.payload ->> 'actor_id' = users.id::text
        and entry.payload ->> 'action' = 'user_confirmation_requested' and entry.ip_address <> ''
    ) as addresses
  from auth.users as users,
    lateral (select greatest(users.created_at, users.confirmation_sent_at, users.recovery_sent_at) as at) as requested
  where users.email_confirmed_at is null and users.phone_confirmed_at is null and users.last_sign_in_at is null
    and users.confirmation_sent_at is not null and users.invited_at is null and users.deleted_at is null
    and not users.is_sso_user and not users.is_anonymous
    and requested.at < now() - make_interval(secs => $1)
  order by requested.at limit ${AT_MOST}`;

/**
 * Removes accounts that were never confirmed or signed in to: after the retention time, or after a day if they were
 * created in bulk from one network. The links in their mails have expired by then.
 */
export async function removeUnconfirmed(query: Query, retentionSeconds: number): Promise<void> {
  const waiting = await query(find, [String(Math.min(DAY, retentionSeconds)), String(retentionSeconds)]);
  const counts = Map.groupBy(waiting.flatMap(networksOf), (network) => network);
  const isBulk = (network: string) => (counts.get(network)?.length ?? 0) >= BULK;
  const gone = waiting
    .filter((row) => row.is_old === "t" || networksOf(row).some(isBulk))
    .map(({ id }) => id as string);
  await removeAccounts(gone, (ids) =>
    query(
      `delete from auth.users where id = any ($1::uuid[])
         and email_confirmed_at is null and phone_confirmed_at is null and last_sign_in_at is null`,
      [ids],
    ),
  );
}

function networksOf({ addresses }: Row): string[] {
  const all: string[] = JSON.parse(addresses ?? "[]");
  return [...new Set(all.map((address) => networkOf(address) as string))];
}
