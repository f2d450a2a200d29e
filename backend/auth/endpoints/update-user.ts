import * as v from "valibot";
import { type Act, asPerson, recorded } from "../audit/recorded.ts";
import { AuthError, validationFailed } from "../auth-error.ts";
import type { AuthService } from "../auth-service.ts";
import { readChallenge } from "../one-time-tokens/flow-state.ts";
import { requireUser, type SignedIn } from "../requests/authenticate.ts";
import type { Call, Client, Reply } from "../requests/call.ts";
import { json, readBody, text } from "../requests/read-body.ts";
import { readRedirect } from "../requests/redirect.ts";
import { readEmail, readPhone } from "../users/address.ts";
import { requestEmailChange } from "../users/change-email.ts";
import { changePassword } from "../users/change-password.ts";
import { requestPhoneChange } from "../users/change-phone.ts";
import { mergedInto } from "../users/metadata.ts";
import { toUserJson } from "../users/user-json.ts";
import { findUser, hasVerifiedFactor, type UserRow } from "../users/user-row.ts";

const Body = v.object({
  email: text,
  phone: text,
  password: text,
  current_password: text,
  nonce: text,
  data: json,
  app_metadata: v.optional(v.unknown()),
  code_challenge: text,
  code_challenge_method: text,
});
type Wishes = v.InferOutput<typeof Body>;
type Asking = SignedIn & { client: Client };

/** PUT /user: each of password, data, address and number that the body names. */
export async function updateUser(call: Call, service: AuthService): Promise<Reply> {
  const wishes = readBody(call.request, Body);
  const person = { ...(await requireUser(call.request, service)), client: call.client };
  const email = wishes.email === "" ? person.user.email : readEmail(wishes.email);
  const newEmail = email === person.user.email ? null : (email as string);
  const phone = wishes.phone === "" ? person.user.phone : readPhone(wishes.phone);
  const newPhone = phone === person.user.phone ? null : (phone as string);
  refuseForbidden(wishes, newEmail ?? newPhone, person);
  const challenge = readChallenge(wishes.code_challenge, wishes.code_challenge_method);
  if (wishes.password !== "") await changePassword(wishes, person, service);
  if (wishes.data) await mergeMetadata(wishes.data, person, service);
  if (newEmail !== null) {
    await service.limits.take("send", call.client.network);
    await requestEmailChange(service, person.user, newEmail, {
      actor: asPerson(person.user, call.client),
      redirectTo: readRedirect(call, service.config),
      challenge,
    });
  }
  if (newPhone !== null) {
    await service.limits.take("send", call.client.network);
    await requestPhoneChange(service, person.user, newPhone, asPerson(person.user, call.client));
  }
  const user = (await findUser(service.database.query, "id", person.user.id)) as UserRow;
  return { status: 200, body: toUserJson(user) };
}

function refuseForbidden(wishes: Wishes, newAddress: string | null, { user, session }: SignedIn): void {
  if (wishes.app_metadata !== undefined) {
    throw new AuthError(403, "not_admin", "Updating app_metadata requires admin privileges");
  }
  const isSensitive = wishes.password !== "" || newAddress !== null;
  if (isSensitive && hasVerifiedFactor(user) && session.aal === "aal1") {
    const message = "AAL2 session is required to update email or password when MFA is enabled.";
    throw new AuthError(401, "insufficient_aal", message);
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
