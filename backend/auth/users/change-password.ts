import { asPerson, recorded } from "../audit/recorded.ts";
import { AuthError } from "../auth-error.ts";
import type { AuthService } from "../auth-service.ts";
import { takeToken, tokenOf } from "../one-time-tokens/one-time-token.ts";
import { refuseWeak } from "../passwords/password-policy.ts";
import type { SignedIn } from "../requests/authenticate.ts";
import type { Client } from "../requests/call.ts";

export type PasswordWish = { password: string; current_password: string; nonce: string };

/** Whoever changes the password ends every session but their own: it may have been changed because of them. */
export async function changePassword(
  wish: PasswordWish,
  { user, session, client }: SignedIn & { client: Client },
  service: AuthService,
): Promise<void> {
  const { config, database, passwords, limits } = service;
  await refuseWeak(wish.password, config);
  // Each change costs hashes, and everyone's sign-ins wait in the same queue.
  await limits.take("accountSignInFromAddress", user.id);
  await requireCurrentPassword(wish, { user, session }, service);
  await requireFreshProof(wish, { user, session }, service);
  if (user.encrypted_password && (await passwords.verify(wish.password, user.encrypted_password)).matches) {
    throw new AuthError(422, "same_password", "New password should be different from the old password.");
  }
  const passwordHash = await passwords.hash(wish.password);
  const [text, values] = recorded(
    { action: "user_updated_password", actor: asPerson(user, client) },
    "update auth.users set encrypted_password = $2, updated_at = now() where id = $1",
    [user.id, passwordHash],
  );
  await database.batch([
    { text: "delete from auth.sessions where user_id = $1 and id <> $2", values: [user.id, session.id] },
    // A link to choose a new password that is still under way was for the old one.
    {
      text: "delete from auth.one_time_tokens where user_id = $1 and token_type = 'recovery_token'",
      values: [user.id],
    },
    { text, values },
  ]);
}

/** Who came by a mailed code or link has forgotten it. */
async function requireCurrentPassword(
  { current_password: current }: PasswordWish,
  { user, session }: SignedIn,
  { config, passwords }: AuthService,
): Promise<void> {
  if (!config.requireCurrentPassword || !user.encrypted_password || session.methods.includes('"otp"')) return;
  const message = "Current password required when setting new password.";
  if (current === "") throw new AuthError(400, "current_password_required", message);
  const { matches } = await passwords.verify(current, user.encrypted_password);
  if (!matches) throw new AuthError(400, "current_password_invalid", message);
}

const FRESH_SECONDS = 24 * 3600;

async function requireFreshProof(
  { nonce }: PasswordWish,
  { user, session }: SignedIn,
  { config, database, secret, limits }: AuthService,
): Promise<void> {
  if (!config.reauthenticateForPassword || Number(session.age) < FRESH_SECONDS) return;
  if (nonce === "") {
    throw new AuthError(400, "reauthentication_needed", "Password update requires reauthentication");
  }
  await limits.take("accountVerify", user.id);
  const token = tokenOf(user.email || user.phone || "", nonce, secret);
  const taken = await takeToken(database.query, ["reauthentication_token"], token, config);
  if (taken?.userId !== user.id) {
    throw new AuthError(422, "reauthentication_not_valid", "Nonce has expired or is invalid");
  }
}
