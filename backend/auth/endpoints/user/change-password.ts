import type { Query } from "#backend/postgres/database.ts";
import { asPerson, recorded } from "../../audit/recorded.ts";
import { AuthError } from "../../auth-error.ts";
import type { Client } from "../../requests/call.ts";
import type { AuthService } from "../../service/auth-service.ts";
import type { Proved } from "../../sessions/recent-proof.ts";
import type { SignedIn } from "../../sessions/require-user.ts";
import { endPending } from "../../users/delete-credentials.ts";
import { listProviders } from "../../users/identity-row.ts";
import { createOwnerNotice } from "../../users/owner-notice.ts";
import { isAddressProved } from "../../users/proved-address.ts";
import { sendNotice } from "../../users/send-notice.ts";
import type { UserRow } from "../../users/user-row.ts";
import type { AccountChange } from "./account-change.ts";
import { removeOtherCredentials } from "./remove-other-credentials.ts";

export type NewPassword = { password: string; current_password: string };

/** Ends all sessions but the caller's, since they may be the reason for the change. */
export async function changePassword(
  fields: NewPassword,
  person: Proved<SignedIn & { client: Client }>,
  service: AuthService,
): Promise<AccountChange> {
  const { user, session, client } = person;
  const { config, passwords, limits } = service;
  // Each change costs password hashes, which share a queue with all sign-ins.
  await limits.take("accountSignInFromAddress", user.id);
  await requireCurrentPassword(fields, person, service);
  if (user.encrypted_password && (await passwords.verify(fields.password, user.encrypted_password)).matches) {
    throw new AuthError(422, "same_password", "New password should be different from the old password.");
  }
  const passwordHash = await passwords.hash(fields.password);
  return async (query) => {
    await endPending(query, user.id, session.id);
    const text = "update auth.users set encrypted_password = $2, updated_at = now() where id = $1";
    const act = { action: "user_updated_password", actor: asPerson(user, client) } as const;
    await query(...recorded(act, text, [user.id, passwordHash]));
    await ownAddress(query, user, isAddressProved(user, config));
    if (session.methods.includes('"recovery"')) await removeOtherCredentials(query, user.id, session.id);
    const notice = await createOwnerNotice(config, query, user, { kind: "password" });
    return () => sendNotice(service, notice);
  };
}

/** With a password, the email address is an identity of its own, even if a provider verified it. */
async function ownAddress(query: Query, { id }: UserRow, isProved: boolean): Promise<void> {
  const added = await query(
    `insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
     select id, id, jsonb_build_object('sub', id, 'email', email, 'email_verified', true,
         'email_proved', $2::boolean, 'phone_verified', false),
       'email', now(), now(), now()
     from auth.users where id = $1::uuid and email_confirmed_at is not null and not is_sso_user
     on conflict (provider_id, provider) do nothing returning id`,
    [id, String(isProved)],
  );
  if (added.length > 0) await listProviders(query, id);
}

/** Not required in a session started by a mailed code or link: the user has probably forgotten it. */
async function requireCurrentPassword(
  { current_password: current }: NewPassword,
  { user, session }: SignedIn,
  { config, passwords }: AuthService,
): Promise<void> {
  if (!config.requireCurrentPassword || !user.encrypted_password || /"(otp|recovery)"/.test(session.methods))
    return;
  const message = "Current password required when setting new password.";
  if (current === "") throw new AuthError(400, "current_password_required", message);
  const { matches } = await passwords.verify(current, user.encrypted_password);
  if (!matches) throw new AuthError(400, "current_password_invalid", message);
}
