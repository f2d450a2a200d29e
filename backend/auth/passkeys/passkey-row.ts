import { randomUUID } from "node:crypto";
import type { Query, Row } from "#backend/postgres/database.ts";
import { readBytes } from "#backend/postgres/read-bytes.ts";
import { type Actor, recorded } from "../audit/recorded.ts";
import { toTime } from "../users/user-json.ts";
import type { Credential, NewCredential } from "../webauthn/credential.ts";

/** A row of `auth.webauthn_credentials`; every column is in PostgreSQL's text form. */
export type PasskeyRow = Row & { id: string; user_id: string };

/** A user's passkeys, oldest first. */
export async function listPasskeys(query: Query, userId: string): Promise<PasskeyRow[]> {
  const text = "select * from auth.webauthn_credentials where user_id = $1 order by created_at, id";
  return (await query(text, [userId])) as PasskeyRow[];
}

/** Finds a passkey by credential id. */
export async function findPasskey(query: Query, credentialId: string): Promise<PasskeyRow | null> {
  const text = "select * from auth.webauthn_credentials where credential_id = decode($1, 'hex')";
  const [row] = await query(text, [toHex(Buffer.from(credentialId, "base64url"))]);
  return (row as PasskeyRow | undefined) ?? null;
}

/** Rejects with 23505 if the credential is already registered. */
export async function insertPasskey(
  query: Query,
  owner: Actor,
  made: NewCredential,
  name: string,
): Promise<PasskeyRow> {
  const id = randomUUID();
  const text = `
    insert into auth.webauthn_credentials (id, user_id, credential_id, public_key, attestation_type, aaguid, sign_count,
      transports, backup_eligible, backed_up, friendly_name)
    values ($1, $2, decode($3, 'hex'), decode($4, 'hex'), 'none', $5, $6, $7, $8, $9, $10)
    returning *`;
  const values = [
    id,
    owner.id,
    toHex(Buffer.from(made.id, "base64url")),
    toHex(made.publicKey),
    made.aaguid,
    String(made.counter),
    JSON.stringify(made.transports),
    String(made.backupEligible),
    String(made.backedUp),
    name,
  ];
  const act = { action: "passkey_created", actor: owner, traits: { passkey_id: id } } as const;
  const [row] = await query(...recorded(act, text, values));
  return row as PasskeyRow;
}

/**
 * Stores the new signature counter; resolves with false if the same response, or a copy of the key, was used before: an
 * authenticator that supports the counter increments it with each use.
 */
export async function countUse(
  query: Query,
  id: string,
  { counter, backedUp }: { counter: number; backedUp: boolean },
): Promise<boolean> {
  const counted = await query(
    `update auth.webauthn_credentials
     set sign_count = $2, backed_up = $3, last_used_at = now(), updated_at = now()
     where id = $1 and (sign_count < $2::bigint or (sign_count = 0 and $2::bigint = 0)) returning id`,
    [id, String(counter), String(backedUp)],
  );
  return counted.length === 1;
}

export function toCredential(row: PasskeyRow): Credential {
  return {
    id: readBytes(row.credential_id ?? "").toString("base64url"),
    publicKey: new Uint8Array(readBytes(row.public_key ?? "")),
    counter: Number(row.sign_count),
    transports: JSON.parse(row.transports ?? "[]"),
  };
}

/** A passkey as its owner sees it, without key material. */
export function toPasskeyJson(row: PasskeyRow): Record<string, unknown> {
  return {
    id: row.id,
    ...(row.friendly_name && { friendly_name: row.friendly_name }),
    created_at: toTime(row.created_at),
    ...(row.last_used_at && { last_used_at: toTime(row.last_used_at) }),
  };
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
