import { hash, randomBytes } from "node:crypto";
import type { Query, Row } from "#backend/postgres/database.ts";
import { isSameSecret } from "#backend/tokens/same-secret.ts";
import { isUuid } from "../requests/uuid.ts";
import { toTime } from "../users/user-json.ts";

/** A row of `auth.oauth_clients`: an application that users may authorize to act for them. */
export type Application = Row & { id: string };

/** Finds an application that is not deleted. */
export async function findApplication(query: Query, id: string): Promise<Application | null> {
  if (!isUuid(id)) return null;
  const [row] = await query("select * from auth.oauth_clients where id = $1 and deleted_at is null", [id]);
  return (row as Application | undefined) ?? null;
}

export const redirectUrisOf = ({ redirect_uris: list }: Application) => (list ?? "").split(",");

export function mayUseGrant({ grant_types: list }: Application, grant: string): boolean {
  return (list ?? "").split(",").includes(grant);
}

/** As returned by the admin API and by registration (RFC 7591 §3.2.1); `secret` is known only at creation. */
export function toApplicationJson(row: Application, secret: string | null = null) {
  return {
    client_id: row.id,
    ...(secret !== null && { client_secret: secret }),
    client_type: row.client_type,
    redirect_uris: redirectUrisOf(row),
    token_endpoint_auth_method: row.token_endpoint_auth_method,
    grant_types: (row.grant_types ?? "").split(","),
    response_types: ["code"],
    ...(row.client_name && { client_name: row.client_name }),
    ...(row.client_uri && { client_uri: row.client_uri }),
    ...(row.logo_uri && { logo_uri: row.logo_uri }),
    registration_type: row.registration_type,
    created_at: toTime(row.created_at),
    updated_at: toTime(row.updated_at),
  };
}

/** An application as shown on the consent page; its columns are prefixed with `client_`. */
export function describeApplication(row: Row) {
  return {
    id: row.client_id,
    name: row.client_name ?? "",
    uri: row.client_uri ?? "",
    logo_uri: row.logo_uri ?? "",
  };
}

/** Generates a secret; only its hash is stored. */
export function makeSecret(): { secret: string; hash: string } {
  const secret = randomBytes(32).toString("base64url");
  return { secret, hash: hashOf(secret) };
}

export function isSecretOf({ client_secret_hash: stored }: Application, secret: string): boolean {
  return isSameSecret(hashOf(secret), stored ?? "");
}

/** For random texts only, which cannot be guessed from an unsalted hash. */
export function hashOf(text: string): string {
  return hash("sha256", text, "base64url");
}
