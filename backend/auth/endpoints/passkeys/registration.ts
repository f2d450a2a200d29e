import type { Query } from "#backend/postgres/database.ts";
import { type Actor, asPerson } from "../../audit/recorded.ts";
import { AuthError, onDuplicate } from "../../auth-error.ts";
import { storeChallenge, takeChallenge } from "../../passkeys/passkey-challenge.ts";
import {
  insertPasskey,
  listPasskeys,
  type PasskeyRow,
  toCredential,
  toPasskeyJson,
} from "../../passkeys/passkey-row.ts";
import { requireProvedPasskeyOwner } from "../../passkeys/require-passkey-owner.ts";
import type { Call, Reply } from "../../requests/call.ts";
import type { AuthConfig } from "../../service/auth-config.ts";
import type { AuthService } from "../../service/auth-service.ts";
import type { Proved } from "../../sessions/recent-proof.ts";
import { createOwnerNotice } from "../../users/owner-notice.ts";
import { sendNotice } from "../../users/send-notice.ts";
import { lockUser, type UserRow } from "../../users/user-row.ts";
import { beginRegistration, finishRegistration } from "../../webauthn/ceremony.ts";
import type { NewCredential } from "../../webauthn/credential.ts";
import { findRelyingParty } from "../../webauthn/relying-party.ts";
import { authenticatorName } from "./authenticator-names.ts";
import { readAnswer } from "./read-answer.ts";

/** POST /passkeys/registration/options */
export async function beginPasskey(call: Call, service: AuthService): Promise<Reply> {
  const { config, database, limits } = service;
  const { user } = await requireOwner(call, service);
  await limits.take("passkey", call.client.network);
  const known = await listPasskeys(database.query, user.id);
  if (known.length >= config.maxPasskeys) throw tooManyPasskeys();
  const seconds = config.passkeyChallengeExpiry;
  const { options, ceremony } = await beginRegistration({
    party: findRelyingParty(call.request, config),
    handle: user.id,
    ...namesOf(user),
    known: known.map(toCredential),
    isPasskey: true,
    seconds,
  });
  const kept = await storeChallenge(database.query, "registration", user.id, ceremony, seconds);
  return { status: 200, body: { ...kept, options } };
}

/** POST /passkeys/registration/verify */
export async function finishPasskey(call: Call, service: AuthService): Promise<Reply> {
  const { config, database, limits } = service;
  const person = await requireOwner(call, service);
  const { user } = person;
  const { challengeId, answer } = readAnswer(call);
  await limits.take("passkey", call.client.network);
  const ceremony = await takeChallenge(database.query, challengeId, "registration", user.id);
  const made = await finishRegistration(answer, ceremony);
  if (!made) {
    throw new AuthError(400, "webauthn_verification_failed", "Credential verification failed");
  }
  const owner = asPerson(user, call.client);
  const { row, notice } = await database.transaction(async (query) => ({
    row: await addPasskey(query, config, owner, made, person),
    notice: await createOwnerNotice(config, query, user, { kind: "passkey" }),
  }));
  sendNotice(service, notice);
  const { id, friendly_name, created_at } = toPasskeyJson(row);
  return { status: 200, body: { id, friendly_name, created_at } };
}

async function requireOwner(call: Call, service: AuthService): Promise<Proved> {
  const person = await requireProvedPasskeyOwner(call, service);
  if (person.user.is_sso_user === "t") {
    throw new AuthError(422, "validation_failed", "SSO users cannot register passkeys");
  }
  return person;
}

/** Locks the user, so that two concurrent requests cannot exceed the limit together. */
async function addPasskey(
  query: Query,
  { maxPasskeys }: AuthConfig,
  owner: Actor,
  made: NewCredential,
  { user }: Proved,
): Promise<PasskeyRow> {
  await lockUser(query, user.id);
  if ((await listPasskeys(query, user.id)).length >= maxPasskeys) throw tooManyPasskeys();
  const message = "This credential is already registered";
  return insertPasskey(query, owner, made, authenticatorName(made.aaguid)).catch(
    onDuplicate(() => new AuthError(422, "webauthn_credential_exists", message)),
  );
}

function namesOf(user: UserRow): { userName: string; displayName: string } {
  const userName = user.email || user.phone || user.id;
  const { name } = JSON.parse(user.raw_user_meta_data ?? "{}") as { name?: unknown };
  return { userName, displayName: typeof name === "string" && name ? name : userName };
}

function tooManyPasskeys(): AuthError {
  return new AuthError(422, "too_many_passkeys", "Maximum number of passkeys reached");
}
