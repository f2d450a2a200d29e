import { randomUUID } from "node:crypto";
import type { Query, Row, Run } from "#backend/postgres/database.ts";
import { isSameSecret } from "#backend/tokens/same-secret.ts";
import { type Act, asPerson, recorded } from "../audit/recorded.ts";
import type { Client } from "../requests/call.ts";
import { type SessionRow, sessionById } from "../sessions/session-row.ts";
import { findUser, isBanned, type UserRow } from "../users/user-row.ts";
import { type Application, hashOf } from "./application.ts";
import { OAuthError } from "./oauth-error.ts";

/** Parameters of a code exchange. */
export type CodeFields = Partial<Record<"code" | "code_verifier" | "redirect_uri" | "resource", string>>;

export type Exchanged = { user: UserRow; session: SessionRow; nonce: string | null; approvedAt: string };

/**
 * Spends a code within a transaction. If it is used twice, either the code or its tokens were stolen, so the session it
 * started ends. Returns the error instead of throwing it, since throwing would roll that back.
 */
export async function exchangeCode(
  query: Query,
  run: Run,
  application: Application,
  fields: CodeFields,
  client: Client,
): Promise<Exchanged | OAuthError> {
  const [request] = await query(
    `select *, expires_at <= now() as is_over from auth.oauth_authorizations
     where authorization_code = $1 and client_id = $2 for update`,
    [hashOf(fields.code ?? ""), application.id],
  );
  if (!request) return refused("Invalid authorization code");
  if (request.status !== "approved") {
    await query("delete from auth.sessions where id = $1", [request.id as string]);
    return refused("Authorization code was used before");
  }
  const fault = findFault(request, fields);
  if (fault) return fault;
  const [consent] = await query(
    `select from auth.oauth_consents as consent join auth.oauth_clients as client on client.id = consent.client_id
     where consent.user_id = $1 and consent.client_id = $2 and consent.revoked_at is null and client.deleted_at is null`,
    [request.user_id as string, application.id],
  );
  const user = await findUser(query, "id", request.user_id as string);
  if (!consent || !user || isBanned(user)) return refused("The person no longer allows this");
  const session = await startApplicationSession(run, request, user, client);
  return { user, session, nonce: request.nonce ?? null, approvedAt: request.approved_at as string };
}

function findFault(request: Row, fields: CodeFields): OAuthError | null {
  if (request.is_over === "t") return refused("Authorization code has expired");
  if (fields.redirect_uri && fields.redirect_uri !== request.redirect_uri)
    return refused("Invalid redirect_uri");
  if (fields.resource && fields.resource !== request.resource) {
    return new OAuthError("invalid_target", "resource is not the one that was asked for");
  }
  if (!isVerifier(fields.code_verifier ?? "", request.code_challenge ?? "")) {
    return refused("PKCE verification failed");
  }
  return null;
}

/** RFC 7636 §4.1, §4.6. */
function isVerifier(verifier: string, challenge: string): boolean {
  return /^[A-Za-z0-9._~-]{43,128}$/.test(verifier) && isSameSecret(hashOf(verifier), challenge);
}

/**
 * The session has the assurance level of the user's own session at consent, which requires the second factor of users
 * who have one by then.
 */
async function startApplicationSession(
  run: Run,
  request: Row,
  user: UserRow,
  client: Client,
): Promise<SessionRow> {
  const id = request.id as string;
  const act: Act = {
    action: "login",
    actor: asPerson(user, client),
    traits: { provider_type: "oauth_provider_authorization_code", client_id: request.client_id },
  };
  const steps = {
    session: `
      insert into auth.sessions
        (id, user_id, created_at, updated_at, aal, user_agent, ip, refresh_token_counter, oauth_client_id, scopes)
      select $1::uuid, $2::uuid, now(), now(),
        case when count(*) > 0 and max(greatest(created_at, updated_at)) <= $6 then 'aal2' else 'aal1' end::auth.aal_level,
        $3, $4::inet, 0, $7::uuid, $8
      from auth.mfa_factors where user_id = $2 and status = 'verified'`,
    claim: `
      insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
      values ($5, $1, now(), now(), 'oauth_provider/authorization_code')`,
  };
  const text = "update auth.oauth_authorizations set status = 'expired' where id = $1";
  const values = [id, user.id, client.userAgent, client.address, randomUUID(), request.approved_at as string];
  const [statement, parameters] = recorded(act, { steps, text }, [
    ...values,
    request.client_id as string,
    request.scope as string,
  ]);
  const rows = await run([{ text: statement, values: parameters }, sessionById(id)]);
  return rows[1]?.[0] as SessionRow;
}

const refused = (message: string) => new OAuthError("invalid_grant", message);
