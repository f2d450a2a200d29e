import type { Step } from "#backend/postgres/database.ts";
import type { Client } from "../requests/call.ts";

/** Every act that the log tells of, in the hosted service's words, and the kind that it files it under. */
const KINDS = {
  login: "account",
  logout: "account",
  invite_accepted: "account",
  user_signedup: "team",
  user_invited: "team",
  user_deleted: "team",
  user_modified: "user",
  user_recovery_requested: "user",
  user_reauthenticate_requested: "user",
  user_confirmation_requested: "user",
  user_repeated_signup: "user",
  user_updated_password: "user",
  identity_unlinked: "user",
  token_refreshed: "token",
  token_revoked: "token",
  factor_in_progress: "factor",
  factor_unenrolled: "factor",
  factor_deleted: "factor",
  factor_updated: "factor",
  challenge_created: "factor",
  verification_attempted: "factor",
  passkey_created: "factor",
  passkey_updated: "factor",
  passkey_deleted: "factor",
} as const;

export type AuditAction = keyof typeof KINDS;

/** Who did it, and from where. */
export type Actor = { id: string; name: string; viaSso: boolean; fullName?: unknown; address: string | null };

/** `traits` says more; never a secret, a code or a token. */
export type Act = { action: AuditAction; actor: Actor; traits?: Record<string, unknown> };

/** As much of an account as the log tells. */
export type Named = { id: string } & Partial<
  Record<"email" | "phone" | "raw_user_meta_data" | "is_sso_user", string | null>
>;

export function asPerson(user: Named, { address }: Pick<Client, "address">): Actor {
  const fullName = JSON.parse(user.raw_user_meta_data ?? "{}").full_name;
  return {
    id: user.id,
    name: user.email || user.phone || "",
    viaSso: user.is_sso_user === "t",
    ...(typeof fullName === "string" && { fullName }),
    address,
  };
}

const NOBODY = "00000000-0000-0000-0000-000000000000";

/** A server with the secret key. */
export function asOperator(role: string, { address }: Pick<Client, "address">): Actor {
  return { id: NOBODY, name: role, viaSso: false, address };
}

/** Whom an operator's act is about. */
export function about({ id, email, phone }: Named): Record<string, unknown> {
  return { user_id: id, user_email: email ?? "", user_phone: phone ?? "" };
}

/**
 * A statement that also writes an act into the log: both or neither, in one round trip. For an insert, update or delete
 * that may begin with a `with`. Without an act it is left as it is.
 */
export function recorded(
  act: Act | null,
  text: string,
  values: (string | null)[] = [],
): [text: string, values: (string | null)[]] {
  if (!act) return [text, values];
  const entry = `recorded as (${writeEntry(values.length)})`;
  const rest = text.trimStart();
  const joined = rest.startsWith("with ") ? `with ${entry}, ${rest.slice(5)}` : `with ${entry} ${rest}`;
  return [joined, [...values, ...describe(act)]];
}

/** The same for an update of one row that may be gone or changed by then: only if there was one, whose `id` is given. */
export function recordedIfChanged(act: Act, text: string, values: (string | null)[]): Step {
  const entry = `recorded as (${writeEntry(values.length)} from changed)`;
  const joined = `with changed as (${text} returning id), ${entry} select id from changed`;
  return { text: joined, values: [...values, ...describe(act)] };
}

/** An entry with the two parameters of `describe` behind the `taken` ones. */
function writeEntry(taken: number): string {
  return `
    insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)
    select '${NOBODY}', gen_random_uuid(), $${taken + 1}, clock_timestamp(), $${taken + 2}`;
}

function describe({ action, actor, traits }: Act): [payload: string, address: string] {
  const payload = {
    action,
    actor_id: actor.id,
    actor_username: actor.name,
    ...(actor.fullName !== undefined && { actor_name: actor.fullName }),
    actor_via_sso: actor.viaSso,
    log_type: KINDS[action],
    ...(traits && { traits }),
  };
  return [JSON.stringify(payload), actor.address ?? ""];
}
