import * as v from "valibot";
import type { Query } from "#backend/postgres/database.ts";
import { AuthError, validationFailed } from "../auth-error.ts";
import type { Call } from "../requests/call.ts";
import { json, readBody, text } from "../requests/read-body.ts";
import type { AuthService } from "../service/auth-service.ts";
import {
  beginAuthentication,
  beginRegistration,
  type Ceremony,
  credentialIdOf,
  finishAuthentication,
  finishRegistration,
} from "../webauthn/ceremony.ts";
import { findRelyingParty } from "../webauthn/relying-party.ts";
import { openChallenge } from "./challenge-row.ts";
import { fromStored, toStored } from "./factor-credential.ts";
import { askFactorHook } from "./factor-hook.ts";
import type { Factor, OwnFactor } from "./require-factor.ts";
import { stepUpSession } from "./step-up-session.ts";

/** A new factor creates a key; a verified one uses its key. */
type FactorCeremony = Ceremony & { type: "create" | "request" };

/** Any of the user's keys is accepted for any of their factors, so that users with two need not know which is which. */
async function listKeys(query: Query, userId: string): Promise<Factor[]> {
  const text = `select * from auth.mfa_factors where user_id = $1 and factor_type = 'webauthn'
    and status = 'verified' and web_authn_credential is not null order by created_at for update`;
  return (await query(text, [userId])) as Factor[];
}

export async function beginKey({ user, factor }: OwnFactor, call: Call, { config, database }: AuthService) {
  const party = findRelyingParty(call.request, config);
  const known = (await listKeys(database.query, user.id)).map(({ web_authn_credential }) =>
    fromStored(web_authn_credential),
  );
  const type = factor.status === "verified" ? "request" : "create";
  const userName = user.email || user.phone || user.id;
  const { options, ceremony } =
    type === "request"
      ? await beginAuthentication(party, config.challengeExpiry, known)
      : await beginRegistration({
          party,
          // Not the user's id: an authenticator may store a passkey under that.
          handle: factor.id,
          userName,
          displayName: factor.friendly_name || userName,
          known,
          isPasskey: false,
          seconds: config.challengeExpiry,
        });
  return {
    ceremony: { ...ceremony, type } satisfies FactorCeremony,
    details: { webauthn: { type, credential_options: { publicKey: options } } },
  };
}

const Body = v.object({
  challenge_id: text,
  webauthn: v.nullish(v.object({ type: text, credential_response: json })),
});

export async function verifyKey(own: OwnFactor, call: Call, service: AuthService) {
  const { challenge_id: challengeId, webauthn } = readBody(call.request, Body);
  if (!webauthn) throw validationFailed("WebAuthn config required");
  const { type, credential_response: answer } = webauthn;
  if (type !== "create" && type !== "request") {
    throw validationFailed("WebAuthn type must be create or request");
  }
  if (!answer) throw validationFailed("credential_response required");
  const { query, transaction } = service.database;
  const named = { id: challengeId, factorId: own.factor.id };
  const challenge = await openChallenge(query, "take", named, call.client, service);
  const ceremony = JSON.parse(challenge.web_authn_session_data ?? "{}") as FactorCeremony;
  if (ceremony.type !== type) throw notVerified();
  const factor = await transaction((inside) =>
    type === "create"
      ? storeKey(inside, own.factor, answer, ceremony)
      : checkKey(inside, own, answer, ceremony),
  );
  const attempt = {
    userId: own.user.id,
    factorId: own.factor.id,
    factorType: "webauthn",
    valid: factor !== null,
  };
  await askFactorHook(service, attempt, call.client);
  if (!factor) throw notVerified();
  return transaction((inside, run) => stepUpSession(inside, run, { ...own, factor }, service));
}

async function storeKey(
  query: Query,
  factor: Factor,
  answer: unknown,
  ceremony: Ceremony,
): Promise<Factor | null> {
  const made = await finishRegistration(answer, ceremony);
  // The row may have been verified or removed since the challenge was taken.
  const kept = made
    ? await query(
        `update auth.mfa_factors set web_authn_credential = $2, web_authn_aaguid = $3, updated_at = now()
         where id = $1 and status = 'unverified' returning id`,
        [factor.id, JSON.stringify(toStored(made)), made.aaguid],
      )
    : [];
  return kept.length === 0 ? null : factor;
}

/** The factor whose key signed, which may differ from the one in the path. */
async function checkKey(
  query: Query,
  { user }: OwnFactor,
  answer: unknown,
  ceremony: Ceremony,
): Promise<Factor | null> {
  const id = credentialIdOf(answer);
  const factor = (await listKeys(query, user.id)).find(
    ({ web_authn_credential }) => fromStored(web_authn_credential).id === id,
  );
  const use =
    factor && (await finishAuthentication(answer, ceremony, fromStored(factor.web_authn_credential)));
  if (!use) return null;
  await query(
    `update auth.mfa_factors set updated_at = now(), web_authn_credential =
       jsonb_set(web_authn_credential, '{authenticator,signCount}', to_jsonb($2::bigint)) where id = $1`,
    [factor.id, String(use.counter)],
  );
  return factor;
}

function notVerified(): AuthError {
  return new AuthError(422, "mfa_verification_failed", "Invalid WebAuthn response");
}
