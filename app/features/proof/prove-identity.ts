import type { Session } from "@supabase/supabase-js";
import * as v from "valibot";
import type { BackendAddress } from "#app/features/session/open-session.ts";
import { claimsOf, listVerifiedFactors } from "#app/features/session/second-factor.ts";
import { createSideClient, type SessionClient } from "#app/features/session/session-client.ts";
import { digitsSchema } from "#app/features/sign-in/code-field.tsx";
import { withReadableError } from "#app/features/sign-in/key-failure.ts";
import { siteNow } from "#app/features/site/site-clock.ts";

/** How the user proves that the account is theirs; `none` if the sign-in is fresh. */
export type Proof =
  | { kind: "none" }
  | { kind: "password"; email: string }
  | { kind: "code"; email: string }
  | { kind: "totp"; factorId: string }
  | { kind: "key"; factorId: string }
  /** `challengeId` is set once a code was sent. */
  | { kind: "text"; factorId: string; challengeId?: string };

/** For how many seconds a sign-in counts as fresh; the database allows ten minutes, and typing takes time. */
const FRESH = 8 * 60;

export function findProof(session: Session | null): Proof {
  if (!session) return { kind: "none" };
  const proofs = claimsOf(session).amr ?? [];
  if (proofs.some(({ timestamp }) => timestamp > siteNow() / 1000 - FRESH)) return { kind: "none" };
  return chooseProofMethod(session);
}

/** The proof for users who were asked already. */
export function chooseProofMethod(session: Session): Proof {
  const factors = listVerifiedFactors(session);
  const app = factors.find(({ factor_type }) => factor_type === "totp");
  if (app) return { kind: "totp", factorId: app.id };
  const key = factors.find(({ factor_type }) => factor_type === "webauthn");
  if (key) return { kind: "key", factorId: key.id };
  const phone = factors.find(({ factor_type }) => factor_type === "phone");
  if (phone) return { kind: "text", factorId: phone.id };
  return { kind: "password", email: session.user.email ?? "" };
}

/** Users of a provider may have neither an email address nor a password: nothing that they could type. */
export function isNameless(proof: Proof): boolean {
  return proof.kind === "password" && proof.email === "";
}

/** The schema of the typed proof; empty if there is no field. */
export function proofSchema({ kind }: Proof) {
  if (kind === "password") {
    return v.object({ proof: v.pipe(v.string(), v.nonEmpty("Please enter your password")) });
  }
  if (kind === "none" || kind === "key") return v.object({ proof: v.optional(v.string(), "") });
  return v.object({ proof: digitsSchema(/^\d{6,10}$/, "Please enter the digits of the code") });
}

type Answer = { error: { message: string; code?: string | undefined } | null };

/** Makes the session fresh. */
export async function proveIdentity(client: SessionClient, proof: Proof, secret: string): Promise<Answer> {
  if (proof.kind === "none") return { error: null };
  if (proof.kind === "totp") {
    return client.auth.mfa.challengeAndVerify({ factorId: proof.factorId, code: secret });
  }
  if (proof.kind === "key") {
    return withReadableError(await client.auth.mfa.webauthn.authenticate({ factorId: proof.factorId }));
  }
  if (proof.kind === "text") {
    const { factorId, challengeId } = proof;
    if (challengeId === undefined) return { error: { message: "Please ask for a code first." } };
    return client.auth.mfa.verify({ factorId, challengeId, code: secret });
  }
  const { email } = proof;
  if (proof.kind === "password") return client.auth.signInWithPassword({ email, password: secret });
  return client.auth.verifyOtp({ email, token: secret, type: "email" });
}

/** A passkey identifies its user; another user's leaves the session unchanged. */
export async function proveByPasskey(client: SessionClient, backend: BackendAddress): Promise<Answer> {
  const { data: before } = await client.auth.getSession();
  const aside = createSideClient(backend.supabaseUrl || window.location.origin, backend.supabaseAnonKey);
  const { data, error } = withReadableError(await aside.auth.signInWithPasskey());
  if (error) return { error };
  const proved = data?.session;
  if (!proved || proved.user.id !== before.session?.user.id) return { error: { message: OTHERS } };
  return client.auth.setSession(proved);
}

const OTHERS = "This passkey is for another account.";

/** The label of the button that sends a code; null if the proof needs none. */
export function codeButton(proof: Proof): string | null {
  if (proof.kind === "password") return "No password? Email me a code";
  if (proof.kind !== "text") return null;
  return proof.challengeId === undefined ? "Send me a code" : "Send another code";
}

/** Sends a code; returns the proof that expects it. */
export async function sendProofCode(client: SessionClient, proof: Proof): Promise<Answer & { proof: Proof }> {
  if (proof.kind === "text") {
    const { data, error } = await client.auth.mfa.challenge({ factorId: proof.factorId, channel: "sms" });
    return { error, proof: data ? { ...proof, challengeId: data.id } : proof };
  }
  if (proof.kind !== "password") return { error: null, proof };
  const { email } = proof;
  const { error } = await mailProofCode(client, email);
  return { error, proof: { kind: "code", email } };
}

export function mailProofCode(client: SessionClient, email: string) {
  return client.auth.signInWithOtp({ email, options: { shouldCreateUser: false } });
}
