import type { Query } from "#backend/postgres/database.ts";
import type { AuthConfig } from "./auth-config.ts";

const DAY = 24 * 3600;

/**
 * Deletes what nobody can use any more: codes, exchanges and challenges of yesterday, sessions past their end, tries that
 * count no more, and old news.
 */
export async function cleanUp(
  query: Query,
  {
    sessionTimebox,
    sessionInactivity,
    auditRetention,
  }: Pick<AuthConfig, "sessionTimebox" | "sessionInactivity" | "auditRetention">,
): Promise<void> {
  const yesterday = [String(DAY)];
  await query(
    "delete from auth.one_time_tokens where updated_at < (now() at time zone 'utc') - make_interval(secs => $1)",
    yesterday,
  );
  await query("delete from auth.flow_state where updated_at < now() - make_interval(secs => $1)", yesterday);
  await query(
    "delete from auth.mfa_challenges where created_at < now() - make_interval(secs => $1)",
    yesterday,
  );
  await query(
    "delete from auth.webauthn_challenges where expires_at < now() - make_interval(secs => $1)",
    yesterday,
  );
  await query("delete from auth.audit_log_entries where created_at < now() - make_interval(secs => $1)", [
    String(auditRetention),
  ]);
  await query("delete from auth.rate_limits where expire < $1", [String(Date.now())]);
  // An absent limit is null, and nothing is older than that.
  await query(
    `delete from auth.sessions where not_after < now()
       or created_at < now() - make_interval(secs => $1)
       or coalesce(refreshed_at at time zone 'utc', created_at) < now() - make_interval(secs => $2)`,
    [sessionTimebox, sessionInactivity].map((seconds) => (seconds === null ? null : String(seconds))),
  );
}
