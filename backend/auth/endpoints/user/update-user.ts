import * as v from "valibot";
import { type Act, type Actor, asPerson, recorded } from "../../audit/recorded.ts";
import { AuthError } from "../../auth-error.ts";
import { type CodeChallenge, readChallenge } from "../../one-time-codes/flow-state.ts";
import { refuseWeak } from "../../passwords/password-policy.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { readBody, text } from "../../requests/read-body.ts";
import { readRedirect } from "../../requests/redirect.ts";
import type { AuthService } from "../../service/auth-service.ts";
import { requireProofOrCode } from "../../sessions/recent-proof.ts";
import { requireUser, requireUserOrApplication, type SignedIn } from "../../sessions/require-user.ts";
import { sharedClaims } from "../../sessions/shared-claims.ts";
import { readEmail, readPhone } from "../../users/address.ts";
import { mergedInto, metadata } from "../../users/metadata.ts";
import { toUserJson } from "../../users/user-json.ts";
import { findUser, hasVerifiedFactor, type UserRow } from "../../users/user-row.ts";
import type { AccountChange } from "./account-change.ts";
import { requestEmailChange } from "./change-email.ts";
import { changePassword } from "./change-password.ts";
import { requestPhoneChange } from "./change-phone.ts";

const Body = v.object({
  email: text,
  phone: text,
  /** An empty one is refused as too short: its sender must not take the old one for changed. */
  password: v.nullish(v.string(), null),
  current_password: text,
  nonce: text,
  data: metadata,
  app_metadata: v.optional(v.unknown()),
  code_challenge: text,
  code_challenge_method: text,
});
type Fields = v.InferOutput<typeof Body>;
type Addresses = { newEmail: string | null; newPhone: string | null; challenge: CodeChallenge | null };

/** GET /user: the current row, not the token's claims; for an application, what its scopes allow. */
export async function getUser(call: Call, service: AuthService): Promise<Reply> {
  const { user, session } = await requireUserOrApplication(call, service);
  if (session.oauth_client_id == null) return { status: 200, body: toUserJson(user) };
  const { id, aud, role, app_metadata, created_at, updated_at, is_anonymous } = toUserJson(user);
  const known = { id, aud, role, ...sharedClaims(user, session), app_metadata };
  return { status: 200, body: { ...known, created_at, updated_at, is_anonymous } };
}

/** PUT /user: changes the password, data, address and number given in the body, all or none. */
export async function updateUser(call: Call, service: AuthService): Promise<Reply> {
  const { database } = service;
  const fields = readBody(call.request, Body);
  const person = await requireUser(call, service);
  const { user } = person;
  const email = fields.email === "" ? user.email : readEmail(fields.email, service.config.emailFault);
  const phone = fields.phone === "" ? user.phone : readPhone(fields.phone);
  const newEmail = email === user.email ? null : (email as string);
  const newPhone = phone === user.phone ? null : (phone as string);
  const isSensitive = fields.password !== null || newEmail !== null || newPhone !== null;
  refuseForbidden(fields, isSensitive, person);
  refuseUnreachable(fields, user);
  refuseForeign(fields, isSensitive, user);
  const challenge = readChallenge(fields.code_challenge, fields.code_challenge_method);
  const addresses = { newEmail, newPhone, challenge };
  const changes = isSensitive ? await sensitiveChanges(fields, addresses, person, call, service) : [];
  if (fields.data) changes.push(mergeMetadata(fields.data, user.id, asPerson(user, call.client)));
  const sends = await database.transaction(async (query) => {
    const prepared: Awaited<ReturnType<AccountChange>>[] = [];
    for (const write of changes) prepared.push(await write(query));
    return prepared;
  });
  for (const send of sends) await send?.();
  return { status: 200, body: toUserJson((await findUser(database.query, "id", user.id)) as UserRow) };
}

function refuseForbidden(fields: Fields, isSensitive: boolean, { user, session }: SignedIn): void {
  if (fields.app_metadata !== undefined) {
    throw new AuthError(403, "not_admin", "Updating app_metadata requires admin privileges");
  }
  if (isSensitive && hasVerifiedFactor(user) && session.aal === "aal1") {
    const message = "AAL2 session is required to update email or password when MFA is enabled.";
    throw new AuthError(401, "insufficient_aal", message);
  }
}

/** A password alone could not be used to sign in. @throws AuthError 422 */
function refuseUnreachable({ password, email, phone }: Fields, user: UserRow): void {
  if (user.is_anonymous !== "t" || password === null || email !== "" || phone !== "") return;
  const what = "Updating password of an anonymous user without an email or phone is not allowed";
  throw new AuthError(422, "validation_failed", what);
}

/** Only the identity provider can change what it asserts. @throws AuthError 422 */
function refuseForeign({ nonce }: Fields, isSensitive: boolean, user: UserRow): void {
  if (user.is_sso_user !== "t" || !(isSensitive || nonce !== "")) return;
  const what = "Updating email, phone, password of a SSO account only possible via SSO";
  throw new AuthError(422, "user_sso_managed", what);
}

/** The changes that affect credentials. */
async function sensitiveChanges(
  fields: Fields,
  { newEmail, newPhone, challenge }: Addresses,
  person: SignedIn,
  call: Call,
  service: AuthService,
): Promise<AccountChange[]> {
  const { user } = person;
  const { client } = call;
  const { config, limits } = service;
  const { password, current_password, nonce } = fields;
  // Before the proof, so that nobody asks for a code that cannot be used.
  if (password !== null) await refuseWeak(password, service, [user.email, user.phone]);
  const isPassword = password !== null;
  const code = { nonce, isPassword };
  const { proved, spendCode } = await requireProofOrCode({ ...person, client }, service, code);
  const actor = asPerson(user, client);
  // First, since a new password or address deletes the code.
  const changes: AccountChange[] = [spendCode];
  if (password !== null) changes.push(await changePassword({ password, current_password }, proved, service));
  if (newEmail !== null) {
    await limits.take("send", client.network);
    const redirectTo = readRedirect(call, config);
    changes.push(await requestEmailChange(service, proved, newEmail, { actor, redirectTo, challenge }));
  }
  if (newPhone !== null) {
    await limits.take("send", client.network);
    changes.push(await requestPhoneChange(service, proved, newPhone, actor));
  }
  return changes;
}

function mergeMetadata(data: Record<string, unknown>, userId: string, actor: Actor): AccountChange {
  const merged = mergedInto("raw_user_meta_data", "$2");
  const text = `update auth.users set updated_at = now(), raw_user_meta_data = ${merged} where id = $1`;
  const act: Act = { action: "user_modified", actor };
  return async (query) => {
    await query(...recorded(act, text, [userId, JSON.stringify(data)]));
    return null;
  };
}
