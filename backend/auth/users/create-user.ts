import { DatabaseError, type Run, type Step } from "#backend/postgres/database.ts";
import { type Act, type Named, recorded } from "../audit/recorded.ts";
import type { AuthConfig } from "../service/auth-config.ts";
import { insertIdentity, type NewIdentity } from "./identity-row.ts";
import { type UserRow, userById } from "./user-row.ts";

export type NewUser = {
  id?: string;
  email?: string | null;
  phone?: string | null;
  passwordHash?: string | null;
  role?: string;
  userMetadata?: Record<string, unknown>;
  appMetadata?: Record<string, unknown>;
  emailConfirmed?: boolean;
  /** Confirmed as entered, where accounts need no confirmation. */
  autoconfirmed?: boolean;
  phoneConfirmed?: boolean;
  invited?: boolean;
  isAnonymous?: boolean;
  /** From single sign-on: the identity provider asserts the address, which another account may have, too. */
  isSsoUser?: boolean;
  /** Identity asserted by a provider, replacing the default identity of the email address or phone number. */
  identity?: NewIdentity;
  /** The audit log entry; absent if it is written later. */
  madeBy?(user: Named): Act;
};

declare const allowed: unique symbol;

/**
 * An account that `allowUser` or `allowOperators` has approved. `created` is called after the insert, before the
 * commit.
 */
export type AllowedUser = NewUser & { id: string; created?(): void; readonly [allowed]: true };

const insertUser = `
  insert into auth.users (
    instance_id, id, aud, role, email, phone, encrypted_password, raw_app_meta_data, raw_user_meta_data,
    email_confirmed_at, phone_confirmed_at, invited_at, is_anonymous, is_sso_user, created_at, updated_at,
    -- The hosted service reads these as texts that are never null.
    confirmation_token, recovery_token, email_change_token_new, email_change
  ) values (
    '00000000-0000-0000-0000-000000000000', $1, $11, $2, $3, $4, $5, $6, $7,
    case when $8 then now() end, case when $9 then now() end, case when $10 then now() end, $12, $13, now(), now(),
    '', '', '', ''
  )`;

/** Null if another account has the address, number or id; the surrounding transaction has then failed. */
export async function createUser(
  run: Run,
  user: AllowedUser,
  { audience, defaultRole }: Pick<AuthConfig, "audience" | "defaultRole">,
): Promise<UserRow | null> {
  const { id, email = null, phone = null } = user;
  const own = [...(email ? ["email"] : []), ...(phone ? ["phone"] : [])];
  const providers = user.identity ? [user.identity.provider] : own;
  const [text, values] = recorded(user.madeBy?.({ id, email, phone }) ?? null, insertUser, [
    id,
    user.role || defaultRole,
    email,
    phone,
    user.passwordHash ?? null,
    JSON.stringify({ ...(!user.isAnonymous && { provider: providers[0], providers }), ...user.appMetadata }),
    JSON.stringify(user.userMetadata ?? {}),
    String(user.emailConfirmed ?? false),
    String(user.phoneConfirmed ?? false),
    String(user.invited ?? false),
    audience,
    String(user.isAnonymous ?? false),
    String(user.isSsoUser ?? false),
  ]);
  const identities = user.identity
    ? [insertIdentity(id, user.identity)]
    : own.map((provider) => identityStep(id, provider, user));
  try {
    const locks = user.created ? [creationLock(id)] : [];
    const rows = await run([...locks, { text, values }, ...identities, userById(id)]);
    user.created?.();
    return rows.at(-1)?.[0] as UserRow;
  } catch (cause) {
    if (cause instanceof DatabaseError && cause.code === "23505") return null;
    throw cause;
  }
}

/** Held until the creating transaction ends, so that others can wait for it. */
const creationLock = (id: string): Step => ({
  text: "select pg_advisory_xact_lock(hashtextextended($1, 0))",
  values: [id],
});

/** Waits until the account is committed and returns it; null if the transaction was rolled back. */
export async function waitForCreation(run: Run, id: string): Promise<UserRow | null> {
  const [, [row] = []] = await run([creationLock(id), userById(id)]);
  return (row as UserRow | undefined) ?? null;
}

function identityStep(userId: string, provider: string, user: NewUser): Step {
  const data = {
    ...user.userMetadata,
    sub: userId,
    ...(provider === "email" ? { email: user.email } : { phone: user.phone }),
    email_verified: provider === "email" && (user.emailConfirmed ?? false),
    ...(provider === "email" && { email_proved: Boolean(user.emailConfirmed && !user.autoconfirmed) }),
    phone_verified: provider === "phone" && (user.phoneConfirmed ?? false),
  };
  return insertIdentity(userId, { provider, providerId: userId, data });
}
