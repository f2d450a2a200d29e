import type { Row, Step } from "#backend/postgres/database.ts";

/**
 * A row of `auth.sessions` with its authentication methods as JSON, newest first; every column is in PostgreSQL's text
 * form.
 */
export type SessionRow = Row & { id: string; user_id: string; methods: string };

const select = `
  select sessions.*,
    extract(epoch from now() - sessions.created_at) as age,
    extract(epoch from (now() at time zone 'utc') - sessions.refreshed_at) as since_refresh,
    extract(epoch from now() - (
      select max(claim.updated_at) from auth.mfa_amr_claims as claim where claim.session_id = sessions.id
    )) as proof_age,
    -- Not a refresh but a second factor gave it its present token.
    coalesce((select max(claim.updated_at) from auth.mfa_amr_claims as claim where claim.session_id = sessions.id)
      at time zone 'utc' >= sessions.refreshed_at, false) as was_raised,
    (select coalesce(json_agg(json_build_object(
      'method', claim.authentication_method, 'timestamp', floor(extract(epoch from claim.updated_at))
    ) order by claim.updated_at desc), '[]') from auth.mfa_amr_claims as claim where claim.session_id = sessions.id) as methods
  from auth.sessions as sessions
  where sessions.id = $1`;

/** The step that selects a session. */
export const sessionById = (id: string): Step => ({ text: select, values: [id] });
