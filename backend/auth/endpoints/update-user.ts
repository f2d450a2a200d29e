import * as v from "valibot";
import { type Act, asPerson, recorded } from "../audit/recorded.ts";
import { AuthError, validationFailed } from "../auth-error.ts";
import type { AuthService } from "../auth-service.ts";
import { readChallenge } from "../one-time-tokens/flow-state.ts";
import { takeToken, tokenOf } from "../one-time-tokens/one-time-token.ts";
import { refuseWeak } from "../passwords/password-policy.ts";
import { requireUser, type SignedIn } from "../requests/authenticate.ts";
import type { Call, Client, Reply } from "../requests/call.ts";
import { json, readBody, text } from "../requests/read-body.ts";
import { readRedirect } from "../requests/redirect.ts";
import { readEmail } from "../users/address.ts";
import { requestEmailChange } from "../users/change-email.ts";
import { mergedInto } from "../users/metadata.ts";
import { toUserJson } from "../users/user-json.ts";
import { findUser, type UserRow } from "../users/user-row.ts";

const Body = v.object({
  email: text,
  phone: text,
  password: text,
  nonce: text,
  data: json,
  app_metadata: v.optional(v.unknown()),
  code_challenge: text,
  code_challenge_method: text,
});
type Wishes = v.InferOutput<typeof Body>;
type Asking = SignedIn & { client: Client };

/** PUT /user: each of password, data and address that the body names. */
export async function updateUser(call: Call, service: AuthService): Promise<Reply> {
  const wishes = readBody(call.request, Body);
  const person = { ...(await requireUser(call.request, service)), client: call.client };
  const email = wishes.email === "" ? person.user.email : readEmail(wishes.email);
  const newEmail = email === person.user.email ? null : (email as string);
  refuseForbidden(wishes, newEmail, person);
  const challenge = readChallenge(wishes.code_challenge, wishes.code_challenge_method);
  if (wishes.password !== "") await changePassword(wishes.password, wishes.nonce, person, service);
  if (wishes.data) await mergeMetadata(wishes.data, person, service);
  if (newEmail !== null) {
    await service.limits.take("send", call.client.network);
    await requestEmailChange(service, person.user, newEmail, {
      actor: asPerson(person.user, call.client),
      redirectTo: readRedirect(call, service.config),
      challenge,
    });
  }
  const user = (await findUser(service.database.query, "id", person.user.id)) as UserRow;
  return { status: 200, body: toUserJson(user) };
}

function refuseForbidden(wishes: Wishes, newEmail: string | null, { user, session }: SignedIn): void {
  if (wishes.app_metadata !== undefined) {
    throw new AuthError(403, "not_admin", "Updating app_metadata requires admin privileges");
  }
  if (wishes.phone !== "" && wishes.phone.replace(/^\+/, "") !== user.phone) {
    throw new AuthError(422, "phone_provider_disabled", "Phone updates are disabled");
  }
  const isSensitive = wishes.password !== "" || newEmail !== null;
  const hasFactor = (JSON.parse(user.factors) as { status: string }[]).some(
    ({ status }) => status === "verified",
  );
  if (isSensitive && hasFactor && session.aal === "aal1") {
    const message = "AAL2 session is required to update email or password when MFA is enabled.";
    throw new AuthError(401, "insufficient_aal", message);
  }
}

/** Whoever changes the password ends every session but their own: it may have been changed because of them. */
async function changePassword(
  password: string,
  nonce: string,
  { user, session, client }: Asking,
  service: AuthService,
): Promise<void> {
  const { config, database, passwords, limits } = service;
  refuseWeak(config.findPasswordFault(password));
  await requireFreshProof(nonce, { user, session }, service);
  // Each change costs two hashes, and everyone's sign-ins wait in the same queue.
  await limits.take("accountSignInFromAddress", user.id);
  if (user.encrypted_password) {
    const { matches } = await passwords.verify(password, user.encrypted_password);
    if (matches) {
      throw new AuthError(422, "same_password", "New password should be different from the old password.");
    }
  }
  const passwordHash = await passwords.hash(password);
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

const FRESH_SECONDS = 24 * 3600;

async function requireFreshProof(
  nonce: string,
  { user, session }: SignedIn,
  service: AuthService,
): Promise<void> {
  const { config, database, secret, limits } = service;
  if (!config.reauthenticateForPassword || Number(session.age) < FRESH_SECONDS) return;
  if (nonce === "") {
    throw new AuthError(400, "reauthentication_needed", "Password update requires reauthentication");
  }
  await limits.take("accountVerify", user.id);
  const token = tokenOf(user.email ?? "", nonce, secret);
  const taken = await takeToken(database.query, ["reauthentication_token"], token, config.otpExpiry);
  if (taken?.userId !== user.id) {
    throw new AuthError(422, "reauthentication_not_valid", "Nonce has expired or is invalid");
  }
}

// Member by member it would grow without end, and it is read with every request: as much as one sign-up may bring.
const MAX_METADATA_BYTES = 1_000_000;

async function mergeMetadata(
  data: Record<string, unknown>,
  { user, client }: Asking,
  { database }: AuthService,
): Promise<void> {
  const merged = mergedInto("raw_user_meta_data", "$2");
  const text = `
    update auth.users set updated_at = now(), raw_user_meta_data = ${merged}
    where id = $1 and octet_length((${merged})::text) <= $3::integer returning id`;
  const act: Act = { action: "user_modified", actor: asPerson(user, client) };
  const values = [user.id, JSON.stringify(data), String(MAX_METADATA_BYTES)];
  await database.transaction(async (query) => {
    const changed = await query(...recorded(act, text, values));
    if (changed.length > 0) return;
    throw validationFailed(`User data may have ${MAX_METADATA_BYTES} bytes at most`);
  });
}
