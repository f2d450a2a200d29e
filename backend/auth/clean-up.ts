import type { Query } from "#backend/postgres/database.ts";
import type { AuthConfig } from "./service/auth-config.ts";
import type { OwnTables } from "./service/own-tables.ts";
import { UNDO_LINK_LIFETIME } from "./users/owner-notice.ts";
import { removeUnconfirmed } from "./users/remove-unconfirmed.ts";
import { removeUnused } from "./users/remove-unused.ts";

const DAY = 24 * 3600;
/** Tokens live at most a week, so older revocations are not needed. */
const REVOCATIONS_KEPT = 8 * DAY;

type Retention = Pick<
  AuthConfig,
  | "sessionTimebox"
  | "sessionInactivity"
  | "auditRetention"
  | "accountGuard"
  | "unconfirmedRetention"
  | "anonymousRetention"
>;

type Expiring = [table: string, time: string, seconds: number];

/** The tables whose rows are of no use some seconds after a time of theirs. */
export function listExpiring(
  { auditRetention, accountGuard }: Pick<Retention, "auditRetention" | "accountGuard">,
  own: Pick<OwnTables, "areKept">,
): Expiring[] {
  const expiring: Expiring[] = [
    ["auth.one_time_tokens", "updated_at at time zone 'utc'", DAY],
    ["auth.saml_relay_states", "created_at", DAY],
    ["auth.flow_state", "updated_at", DAY],
    ["auth.mfa_challenges", "created_at", DAY],
    ["auth.webauthn_challenges", "expires_at", DAY],
    ["auth.oauth_authorizations", "expires_at", DAY],
    ["auth.audit_log_entries", "created_at", auditRetention],
  ];
  if (own.areKept)
    expiring.push(
      ["backend.used_proofs", "until", 0],
      ["backend.revocations", "revoked_at", REVOCATIONS_KEPT],
    );
  if (accountGuard) expiring.push(["backend.ways_back", "made_at", UNDO_LINK_LIFETIME]);
  return expiring;
}

/**
 * Deletes expired codes, sign-in flows, challenges, sessions, rate limits and log entries, and accounts that were never
 * confirmed or are no longer used. What fails is reported, and keeps nothing else from being deleted.
 */
export async function cleanUp(
  query: Query,
  retention: Retention,
  report: (cause: unknown) => void,
  own: Pick<OwnTables, "areKept"> = { areKept: true },
): Promise<void> {
  const attempt = (step: Promise<unknown>) => step.catch(report);
  // Before the audit log is pruned, which holds the addresses they were requested from.
  await attempt(removeUnconfirmed(query, retention.unconfirmedRetention));
  await attempt(removeUnused(query, retention.anonymousRetention));
  if (own.areKept)
    await attempt(query("delete from backend.rate_limits where expire < $1", [String(Date.now())]));
  for (const [table, time, seconds] of listExpiring(retention, own)) {
    const old = `${time} < now() - make_interval(secs => $1)`;
    await attempt(query(`delete from ${table} where ${old}`, [String(seconds)]));
  }
  // Applications that registered themselves and that no user has authorized.
  await attempt(
    query(
      `delete from auth.oauth_clients as client where registration_type = 'dynamic'
       and created_at < now() - interval '7 days'
       and not exists (select from auth.oauth_consents where client_id = client.id)`,
    ),
  );
  // A limit that is not set is null, so the comparison is never true.
  await attempt(
    query(
      `delete from auth.sessions where not_after < now()
       or created_at < now() - make_interval(secs => $1)
       or coalesce(refreshed_at at time zone 'utc', created_at) < now() - make_interval(secs => $2)`,
      [retention.sessionTimebox, retention.sessionInactivity].map((seconds) =>
        seconds === null ? null : String(seconds),
      ),
    ),
  );
}
