import type { UserRow } from "./user-row.ts";

type Json = Record<string, unknown>;

/** Timestamps omitted while null. */
const OPTIONAL_TIMES = [
  "email_confirmed_at",
  "invited_at",
  "phone_confirmed_at",
  "confirmation_sent_at",
  "confirmed_at",
  "recovery_sent_at",
  "email_change_sent_at",
  "phone_change_sent_at",
  "reauthentication_sent_at",
  "last_sign_in_at",
  "banned_until",
  "deleted_at",
] as const;

/** The user as clients see it, without passwords or codes. */
export function toUserJson(row: UserRow): Json {
  const factors = (JSON.parse(row.factors) as Json[]).map(toFactorJson);
  return {
    id: row.id,
    aud: row.aud ?? "",
    role: row.role ?? "",
    email: row.email ?? "",
    phone: row.phone ?? "",
    ...Object.fromEntries(
      OPTIONAL_TIMES.flatMap((name) => (row[name] == null ? [] : [[name, toTime(row[name])]])),
    ),
    ...(row.email_change && { new_email: row.email_change }),
    ...(row.phone_change && { new_phone: row.phone_change }),
    app_metadata: JSON.parse(row.raw_app_meta_data ?? "{}"),
    user_metadata: JSON.parse(row.raw_user_meta_data ?? "{}"),
    ...(factors.length > 0 && { factors }),
    identities: (JSON.parse(row.identities) as Json[]).map(toIdentityJson),
    created_at: toTime(row.created_at),
    updated_at: toTime(row.updated_at),
    is_anonymous: row.is_anonymous === "t",
  };
}

function toFactorJson({ friendly_name, phone, last_challenged_at, ...factor }: Json): Json {
  return {
    ...factor,
    created_at: fromUtc(factor.created_at),
    updated_at: fromUtc(factor.updated_at),
    ...(friendly_name ? { friendly_name } : {}),
    ...(phone ? { phone } : {}),
    ...(last_challenged_at ? { last_challenged_at: fromUtc(last_challenged_at) } : {}),
  };
}

function toIdentityJson({ email, ...identity }: Json): Json {
  return {
    ...identity,
    last_sign_in_at: fromUtc(identity.last_sign_in_at),
    created_at: fromUtc(identity.created_at),
    updated_at: fromUtc(identity.updated_at),
    ...(email ? { email } : {}),
  };
}

/** From PostgreSQL's text form, in any time zone. */
export function toTime(text: string | null | undefined): string | null {
  return text == null ? null : new Date(text).toISOString();
}

/** In JSON, PostgreSQL writes a UTC `timestamp` without a zone. */
function fromUtc(text: unknown): string | null {
  return typeof text === "string" ? `${text}Z` : null;
}
