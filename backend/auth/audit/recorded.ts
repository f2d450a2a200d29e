import type { Step } from "#backend/postgres/database.ts";

/** Every action of the audit log, under the hosted service's name, with its log type. */
const KINDS = {
  login: "account",
  login_failed: "account",
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
  generate_recovery_codes: "factor",
  challenge_created: "factor",
  verification_attempted: "factor",
  passkey_created: "factor",
  passkey_updated: "factor",
  passkey_deleted: "factor",
} as const;

export type AuditAction = keyof typeof KINDS;

/** Where a request came from; null if unknown. */
export type Origin = { address: string | null };

/** Who performed the action, and from where. */
export type Actor = { id: string; name: string; viaSso: boolean; fullName?: unknown } & Origin;

/** `traits` holds details; never a secret, code or token. */
export type Act = { action: AuditAction; actor: Actor; traits?: Record<string, unknown> };

/** The account columns that the log needs. */
export type Named = { id: string } & Partial<
  Record<"email" | "phone" | "raw_user_meta_data" | "is_sso_user", string | null>
>;

/** The name is chosen by the user, and part of every entry. */
const MAX_NAME = 100;

export function asPerson(user: Named, { address }: Origin): Actor {
  const fullName = JSON.parse(user.raw_user_meta_data ?? "{}").full_name;
  return {
    id: user.id,
    name: user.email || user.phone || "",
    viaSso: user.is_sso_user === "t",
    ...(typeof fullName === "string" && { fullName: fullName.slice(0, MAX_NAME).toWellFormed() }),
    address,
  };
}

const NIL_ID = "00000000-0000-0000-0000-000000000000";

/** A server using the secret key. */
export function asOperator(role: string, { address }: Origin): Actor {
  return { id: NIL_ID, name: role, viaSso: false, address };
}

/** Traits that name the account on which an operator acted. */
export function about({ id, email, phone }: Named): Record<string, unknown> {
  return { user_id: id, user_email: email ?? "", user_phone: phone ?? "" };
}

/** A statement, optionally with named data-modifying CTEs that run with it. */
export type Change = string | { steps: Readonly<Record<string, string>>; text: string };

/** An insert, update or delete that also writes an audit entry, atomically and in one round trip. */
export function recorded(
  act: Act | null,
  change: Change,
  values: (string | null)[],
): [text: string, values: (string | null)[]] {
  const { steps, text } = typeof change === "string" ? { steps: {}, text: change } : change;
  if (!act) return [compose(steps, text), values];
  return [compose({ recorded: writeEntry(values.length), ...steps }, text), [...values, ...describe(act)]];
}

/**
 * Like `recorded`, for an update of a row that may be gone or changed: writes the entry only if the row was updated,
 * and returns its `id`.
 */
export function recordedIfChanged(act: Act, text: string, values: (string | null)[]): Step {
  const steps = { changed: `${text} returning id`, recorded: writeEntry(values.length, "from changed") };
  return { text: compose(steps, "select id from changed"), values: [...values, ...describe(act)] };
}

function compose(steps: Readonly<Record<string, string>>, text: string): string {
  const named = Object.entries(steps).map(([name, step]) => `${name} as (${step})`);
  return named.length === 0 ? text : `with ${named.join(", ")} ${text}`;
}

/** A statement that only writes an audit entry. */
export function entryOf(act: Act): [text: string, values: string[]] {
  return [writeEntry(0), describe(act)];
}

/** Maximum number of entries per day for the same action and user, so that loops and floods add no more. */
const MAX_A_DAY = 100;

/**
 * Inserts an entry; the two parameters from `describe` follow the `taken` existing ones. Operators' actions are not
 * limited.
 */
function writeEntry(taken: number, from = ""): string {
  const payload = `$${taken + 1}::json`;
  return `
    insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)
    select '${NIL_ID}', gen_random_uuid(), ${payload}, clock_timestamp(), $${taken + 2} ${from}
    where ${payload} ->> 'actor_id' = '${NIL_ID}' or (
      select count(*) from (
        select from auth.audit_log_entries as entry
        where entry.payload ->> 'actor_id' = ${payload} ->> 'actor_id'
          and entry.payload ->> 'action' = ${payload} ->> 'action'
          and entry.created_at > now() - interval '1 day'
        limit ${MAX_A_DAY}
      ) as same
    ) < ${MAX_A_DAY}`;
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
