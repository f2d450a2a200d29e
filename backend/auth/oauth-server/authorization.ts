import { randomBytes, randomUUID } from "node:crypto";
import type { Query, Row } from "#backend/postgres/database.ts";
import { AuthError, validationFailed } from "../auth-error.ts";
import type { AuthConfig } from "../service/auth-config.ts";
import { hashOf } from "./application.ts";
import type { AuthorizeRequest } from "./authorize-request.ts";

/** A row of `auth.oauth_authorizations`, with its application's columns prefixed with `client_`. */
export type Authorization = Row & {
  authorization_id: string;
  client_id: string;
  scope: string;
  redirect_uri: string;
};

/** Stores a request until a user answers it; resolves with the id under which the consent page looks it up. */
export async function storeAuthorization(
  query: Query,
  { id, redirectUri }: { id: string; redirectUri: string },
  { scope, state, nonce, resource, codeChallenge }: AuthorizeRequest,
  { oauthRequestLifetime }: Pick<AuthConfig, "oauthRequestLifetime">,
): Promise<string> {
  const name = randomBytes(24).toString("base64url");
  await query(
    `insert into auth.oauth_authorizations
       (id, authorization_id, client_id, redirect_uri, scope, state, nonce, resource, code_challenge, code_challenge_method,
        expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 's256', now() + make_interval(secs => $10))`,
    [
      randomUUID(),
      name,
      id,
      redirectUri,
      scope,
      state,
      nonce,
      resource,
      codeChallenge,
      String(oauthRequestLifetime),
    ],
  );
  return name;
}

/**
 * Returns the pending request and assigns it to this user: only the first user to open it may answer it.
 * @throws AuthError 404 if it does not exist, has expired or is another user's; 400 if it was answered
 */
export async function claimAuthorization(query: Query, name: string, userId: string): Promise<Authorization> {
  await query(
    `update auth.oauth_authorizations set user_id = $2
     where authorization_id = $1 and user_id is null and status = 'pending' and expires_at > now()`,
    [name, userId],
  );
  return findAuthorization(query, name, userId);
}

/** Same as `claimAuthorization`, for a request this user has opened; locks it until the transaction ends. */
export async function findAuthorization(query: Query, name: string, userId: string): Promise<Authorization> {
  const [row] = await query(
    `select request.*, client.client_name, client.client_uri, client.logo_uri, client.client_type
     from auth.oauth_authorizations as request join auth.oauth_clients as client on client.id = request.client_id
     where request.authorization_id = $1 and request.user_id = $2 and request.expires_at > now()
       and request.status <> 'expired' and client.deleted_at is null
     for update of request`,
    [name, userId],
  );
  if (!row) throw new AuthError(404, "oauth_authorization_not_found", "authorization not found");
  if (row.status !== "pending") throw validationFailed("authorization request cannot be processed");
  return row as Authorization;
}

/** Resolves with the code for the application to exchange; only its hash is stored. */
export async function approve(query: Query, { authorization_id: name }: Authorization): Promise<string> {
  const code = randomBytes(32).toString("base64url");
  await query(
    `update auth.oauth_authorizations set status = 'approved', approved_at = now(), authorization_code = $2
     where authorization_id = $1`,
    [name, hashOf(code)],
  );
  return code;
}

export async function deny(query: Query, { authorization_id: name }: Authorization): Promise<void> {
  await query("update auth.oauth_authorizations set status = 'denied' where authorization_id = $1", [name]);
}
