import { AuthError } from "../../auth-error.ts";
import { storeChallenge, takeChallenge } from "../../passkeys/passkey-challenge.ts";
import { countUse, findPasskey, type PasskeyRow, toCredential } from "../../passkeys/passkey-row.ts";
import type { Call, Reply } from "../../requests/call.ts";
import type { AuthService } from "../../service/auth-service.ts";
import { replySession } from "../../sessions/session-answer.ts";
import { startSession } from "../../sessions/start-session.ts";
import { findUser, isBanned, type UserRow } from "../../users/user-row.ts";
import {
  beginAuthentication,
  type Ceremony,
  credentialIdOf,
  finishAuthentication,
  userHandleOf,
} from "../../webauthn/ceremony.ts";
import { findRelyingParty } from "../../webauthn/relying-party.ts";
import { readAnswer } from "./read-answer.ts";

/** POST /passkeys/authentication/options: the same for all users; no user name is needed. */
export async function beginPasskeySignIn(call: Call, service: AuthService): Promise<Reply> {
  const { config, database, limits } = service;
  await limits.take("passkey", call.client.network);
  const seconds = config.passkeyChallengeExpiry;
  const { options, ceremony } = await beginAuthentication(findRelyingParty(call.request, config), seconds);
  const kept = await storeChallenge(database.query, "authentication", null, ceremony, seconds);
  return { status: 200, body: { ...kept, options } };
}

/** POST /passkeys/authentication/verify: starts a session. The response does not reveal why verification failed. */
export async function finishPasskeySignIn(call: Call, service: AuthService): Promise<Reply> {
  const { database, limits } = service;
  const { challengeId, answer } = readAnswer(call);
  await limits.take("passkey", call.client.network);
  const ceremony = await takeChallenge(database.query, challengeId, "authentication", null);
  const proof = await prove(answer, ceremony, service);
  if (!proof) throw notVerified();
  const user = await requireReady(proof.passkey, service);
  const started = await database.transaction(async (query, run) => {
    if (!(await countUse(query, proof.passkey.id, proof))) throw notVerified();
    return startSession(run, user, "passkey", call.client);
  });
  return replySession(service, started);
}

type Proof = { passkey: PasskeyRow; counter: number; backedUp: boolean };

/** The passkey that signed, found by credential id and matched with its owner's handle; null if none did. */
async function prove(answer: unknown, ceremony: Ceremony, { database }: AuthService): Promise<Proof | null> {
  const credentialId = credentialIdOf(answer);
  const passkey = credentialId && (await findPasskey(database.query, credentialId));
  if (!passkey || userHandleOf(answer) !== passkey.user_id) return null;
  const use = await finishAuthentication(answer, ceremony, toCredential(passkey));
  return use && { passkey, ...use };
}

/** These errors are revealed only to the owner of the passkey. */
async function requireReady(passkey: PasskeyRow, { database }: AuthService): Promise<UserRow> {
  const user = await findUser(database.query, "id", passkey.user_id);
  if (!user) throw new AuthError(403, "user_not_found", "User not found");
  if (user.email && user.email_confirmed_at == null) {
    throw new AuthError(403, "email_not_confirmed", "Email not confirmed");
  }
  if (user.phone && user.phone_confirmed_at == null) {
    throw new AuthError(403, "phone_not_confirmed", "Phone not confirmed");
  }
  if (isBanned(user)) throw new AuthError(403, "user_banned", "User is banned");
  return user;
}

function notVerified(): AuthError {
  return new AuthError(400, "webauthn_verification_failed", "Credential verification failed");
}
