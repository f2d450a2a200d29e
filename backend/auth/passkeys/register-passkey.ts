import { DatabaseError, type Query } from "#backend/postgres/database.ts";
import { type Actor, asPerson } from "../audit/recorded.ts";
import { AuthError } from "../auth-error.ts";
import type { AuthService } from "../auth-service.ts";
import type { SignedIn } from "../requests/authenticate.ts";
import type { Call, Reply } from "../requests/call.ts";
import type { UserRow } from "../users/user-row.ts";
import { beginRegistration, finishRegistration } from "../webauthn/ceremony.ts";
import type { NewCredential } from "../webauthn/credential.ts";
import { findRelyingParty } from "../webauthn/relying-party.ts";
import { nameOfMake } from "./authenticator-names.ts";
import { keepChallenge, takeChallenge } from "./passkey-challenge.ts";
import { insertPasskey, listPasskeys, type PasskeyRow, toCredential, toPasskeyJson } from "./passkey-row.ts";
import { readAnswer } from "./read-answer.ts";
import { requireRaisedKeeper } from "./require-keeper.ts";

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
  const kept = await keepChallenge(database.query, "registration", user.id, ceremony, seconds);
  return { status: 200, body: { ...kept, options } };
}

/** POST /passkeys/registration/verify */
export async function finishPasskey(call: Call, service: AuthService): Promise<Reply> {
  const { database, limits } = service;
  const { user } = await requireOwner(call, service);
  const { challengeId, answer } = readAnswer(call);
  await limits.take("passkey", call.client.network);
  const ceremony = await takeChallenge(database.query, challengeId, "registration", user.id);
  const made = await finishRegistration(answer, ceremony);
  if (!made) {
    throw new AuthError(400, "webauthn_verification_failed", "Credential verification failed");
  }
  const owner = asPerson(user, call.client);
  const row = await database.transaction((query) => addPasskey(query, service, owner, made));
  const { id, friendly_name, created_at } = toPasskeyJson(row);
  return { status: 200, body: { id, friendly_name, created_at } };
}

async function requireOwner(call: Call, service: AuthService): Promise<SignedIn> {
  const person = await requireRaisedKeeper(call, service);
  if (person.user.is_sso_user === "t") {
    throw new AuthError(422, "validation_failed", "SSO users cannot register passkeys");
  }
  return person;
}

/** One at a time for each person, so that two at once do not pass the limit together. */
async function addPasskey(
  query: Query,
  { config }: AuthService,
  owner: Actor,
  made: NewCredential,
): Promise<PasskeyRow> {
  await query("select from auth.users where id = $1 for update", [owner.id]);
  const known = await listPasskeys(query, owner.id);
  if (known.length >= config.maxPasskeys) throw tooManyPasskeys();
  return insertPasskey(query, owner, made, nameOfMake(made.aaguid)).catch((cause) => {
    if (!(cause instanceof DatabaseError) || cause.code !== "23505") throw cause;
    throw new AuthError(422, "webauthn_credential_exists", "This credential is already registered");
  });
}

function namesOf(user: UserRow): { userName: string; displayName: string } {
  const userName = user.email || user.phone || user.id;
  const { name } = JSON.parse(user.raw_user_meta_data ?? "{}") as { name?: unknown };
  return { userName, displayName: typeof name === "string" && name ? name : userName };
}

function tooManyPasskeys(): AuthError {
  return new AuthError(422, "too_many_passkeys", "Maximum number of passkeys reached");
}
