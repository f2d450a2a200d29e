import { hash, randomUUID } from "node:crypto";
import type { Query } from "#backend/postgres/database.ts";
import { isSameSecret } from "#backend/tokens/same-secret.ts";
import { AuthError, validationFailed } from "../auth-error.ts";
import type { AuthConfig } from "../service/auth-config.ts";

/** The PKCE challenge of a client's first request (RFC 7636). */
export type CodeChallenge = { challenge: string; method: "s256" | "plain" };

const CHALLENGE = /^[A-Za-z0-9._~-]{43,128}$/;

/** Null if the client wants its tokens in the link. @throws AuthError 400 for an incomplete or malformed challenge */
export function readChallenge(challenge: string, method: string): CodeChallenge | null {
  if (challenge === "" && method === "") return null;
  const known = method.toLowerCase();
  if (challenge === "" || method === "") {
    throw validationFailed("PKCE flow requires code_challenge_method and code_challenge");
  }
  if (known !== "s256" && known !== "plain") throw validationFailed("Invalid code challenge method");
  if (!CHALLENGE.test(challenge))
    throw validationFailed("code challenge has to be between 43 and 128 characters");
  return { challenge, method: known };
}

/** Stores the challenge until the mailed link is opened. */
export async function beginFlow(
  query: Query,
  userId: string,
  method: string,
  { challenge, method: how }: CodeChallenge,
) {
  await query("delete from auth.flow_state where user_id = $1 and authentication_method = $2", [
    userId,
    method,
  ]);
  await query(
    `insert into auth.flow_state
       (id, user_id, auth_code, code_challenge_method, code_challenge, provider_type, authentication_method, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6, now(), now())`,
    [randomUUID(), userId, randomUUID(), how, challenge, method],
  );
}

/** Whether a link is still pending; its challenge then also applies to the next link. */
export async function continueFlow(query: Query, userId: string, method: string): Promise<boolean> {
  const found = await query(
    `update auth.flow_state set updated_at = now()
     where user_id = $1 and authentication_method = $2 and auth_code_issued_at is null returning id`,
    [userId, method],
  );
  return found.length > 0;
}

/** To be called when the link was opened: resolves with the code that the holder of the verifier can exchange. */
export async function issueCode(query: Query, userId: string, method: string): Promise<string> {
  const [row] = await query(
    `update auth.flow_state set auth_code_issued_at = now(), updated_at = now()
     where user_id = $1 and authentication_method = $2 and auth_code_issued_at is null returning auth_code`,
    [userId, method],
  );
  if (!row?.auth_code) throw flowNotFound();
  return row.auth_code;
}

/** The user and purpose of a code; a provider's tokens are sealed. */
export type Exchanged = Record<"flowId" | "userId" | "type" | "provider", string> &
  Record<"providerToken" | "providerRefreshToken" | "sessionEnds", string | null>;

/**
 * Spends a code; resolves with its user and purpose. A wrong verifier does not spend it.
 * @throws AuthError 404, 422 or 400
 */
export async function exchangeCode(
  query: Query,
  code: string,
  verifier: string,
  { flowStateExpiry }: Pick<AuthConfig, "flowStateExpiry">,
): Promise<Exchanged> {
  const [row] = await query(
    `select id, user_id, authentication_method, provider_type, provider_access_token, provider_refresh_token, code_challenge, code_challenge_method,
       case authentication_method when 'sso/saml' then referrer end as session_ends,
       auth_code_issued_at > now() - make_interval(secs => $2) as fresh
     from auth.flow_state where auth_code = $1 and auth_code_issued_at is not null for update`,
    [code, String(flowStateExpiry)],
  );
  if (!row) throw flowNotFound();
  if (row.fresh !== "t") {
    throw new AuthError(422, "flow_state_expired", "invalid flow state, flow state has expired");
  }
  const given = row.code_challenge_method === "plain" ? verifier : hash("sha256", verifier, "base64url");
  if (!isSameSecret(given, row.code_challenge ?? "")) {
    throw new AuthError(
      400,
      "bad_code_verifier",
      "code challenge does not match previously saved code verifier",
    );
  }
  await query("delete from auth.flow_state where id = $1", [row.id as string]);
  return {
    flowId: row.id as string,
    userId: row.user_id as string,
    type: row.authentication_method as string,
    provider: row.provider_type as string,
    providerToken: row.provider_access_token ?? null,
    providerRefreshToken: row.provider_refresh_token ?? null,
    sessionEnds: row.session_ends ?? null,
  };
}

function flowNotFound(): AuthError {
  return new AuthError(404, "flow_state_not_found", "invalid flow state, no valid flow state found");
}
