import { randomUUID } from "node:crypto";
import type { Query, Row } from "#backend/postgres/database.ts";
import { parseScopes } from "../sessions/scopes.ts";
import type { Authorization } from "./authorization.ts";

/** Adds the granted scopes to those the user granted the application before. */
export async function storeConsent(
  query: Query,
  userId: string,
  { client_id: applicationId, scope }: Authorization,
): Promise<void> {
  const [known] = await query(
    `select scopes from auth.oauth_consents where user_id = $1 and client_id = $2 and revoked_at is null for update`,
    [userId, applicationId],
  );
  const scopes = parseScopes(`${known?.scopes ?? ""} ${scope}`).join(" ");
  await query(
    `insert into auth.oauth_consents (id, user_id, client_id, scopes) values ($1, $2, $3, $4)
     on conflict (user_id, client_id) do update set scopes = excluded.scopes, granted_at = now(), revoked_at = null`,
    [randomUUID(), userId, applicationId, scopes],
  );
}

/**
 * Whether consent can be skipped: the user granted as much before, and the application is authenticated. A public
 * client whose redirect URI any program on the user's device could listen on is not (OAuth 2.1 §7.3.1).
 */
export async function isCovered(query: Query, userId: string, request: Authorization): Promise<boolean> {
  const isKnown = request.client_type === "confidential" || request.redirect_uri.startsWith("https://");
  if (!isKnown) return false;
  const [consent] = await query(
    "select scopes from auth.oauth_consents where user_id = $1 and client_id = $2 and revoked_at is null",
    [userId, request.client_id],
  );
  const allowed = parseScopes(consent?.scopes ?? "");
  return consent !== undefined && parseScopes(request.scope).every((scope) => allowed.includes(scope));
}

/** A user's grants, newest first. */
export async function listConsents(query: Query, userId: string): Promise<Row[]> {
  return query(
    `select consent.*, client.client_name, client.client_uri, client.logo_uri
     from auth.oauth_consents as consent join auth.oauth_clients as client on client.id = consent.client_id
     where consent.user_id = $1 and consent.revoked_at is null and client.deleted_at is null
     order by consent.granted_at desc, consent.client_id`,
    [userId],
  );
}

/**
 * Expires applications' requests and ends their sessions. Two statements in this order: a concurrent code exchange has
 * locked its request, so its session exists by the time the second statement runs.
 * @param whose a condition on `client_id` and `user_id`
 */
async function endAccess(query: Query, whose: string, values: string[]): Promise<void> {
  await query(`update auth.oauth_authorizations set status = 'expired' where ${whose}`, values);
  await query(`delete from auth.sessions where ${whose.replace("client_id", "oauth_client_id")}`, values);
}

/** Resolves with false if there was no grant. Also ends the application's sessions. */
export async function revokeConsent(query: Query, userId: string, applicationId: string): Promise<boolean> {
  const revoked = await query(
    `update auth.oauth_consents set revoked_at = now()
     where client_id = $1 and user_id = $2 and revoked_at is null returning id`,
    [applicationId, userId],
  );
  if (revoked.length > 0) await endAccess(query, "client_id = $1 and user_id = $2", [applicationId, userId]);
  return revoked.length > 0;
}

/** Deletes an application, and revokes all its grants. */
export async function removeApplication(query: Query, applicationId: string): Promise<void> {
  await query("update auth.oauth_clients set deleted_at = now(), updated_at = now() where id = $1", [
    applicationId,
  ]);
  await query(
    "update auth.oauth_consents set revoked_at = now() where client_id = $1 and revoked_at is null",
    [applicationId],
  );
  await endAccess(query, "client_id = $1", [applicationId]);
}
