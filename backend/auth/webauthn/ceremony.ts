import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import type { Credential, NewCredential } from "./credential.ts";
import type { RelyingParty } from "./relying-party.ts";

/** State stored between sending the options and receiving the authenticator's response. */
export type Ceremony = {
  challenge: string;
  rpId: string;
  origins: readonly string[];
  /** Requires user verification by fingerprint, face or PIN. */
  verifiesPerson: boolean;
};

/** EdDSA, ES256 and RS256 (RFC 9053), which authenticators support; newer ones are still experimental in runtimes. */
const ALGORITHMS = [-8, -7, -257];

// Loaded on first use: it takes 30 MB, and would slow down every start.
const load = () => import("@simplewebauthn/server");
const loadHelpers = () => import("@simplewebauthn/server/helpers");

/** Bytes of a credential's id (WebAuthn Level 3, §7.1). */
const LONGEST_ID = 1023;

type Known = Pick<Credential, "id" | "transports">;

export type Registration = {
  party: RelyingParty;
  /** The user handle: a second key with the same one replaces the first. */
  handle: string;
  /** Shown in the authenticator's own list. */
  userName: string;
  displayName: string;
  /** Authenticators that hold one of these credentials do not create another. */
  known: readonly Known[];
  /** A passkey: discoverable without a user name, and with user verification. */
  isPasskey: boolean;
  seconds: number;
};

/** Options for `navigator.credentials.create()`. */
export async function beginRegistration(registration: Registration) {
  const { party, isPasskey } = registration;
  const { generateRegistrationOptions } = await load();
  const options = await generateRegistrationOptions({
    rpID: party.id,
    rpName: party.name,
    userID: new TextEncoder().encode(registration.handle),
    userName: registration.userName,
    userDisplayName: registration.displayName,
    attestationType: "none",
    supportedAlgorithmIDs: ALGORITHMS,
    timeout: registration.seconds * 1000,
    excludeCredentials: registration.known.map(describe),
    authenticatorSelection: isPasskey
      ? { residentKey: "required", userVerification: "required" }
      : { residentKey: "discouraged", userVerification: "preferred" },
  });
  return { options, ceremony: toCeremony(options.challenge, party, isPasskey) };
}

/** Options for `navigator.credentials.get()`; without `known`, any passkey for the site is accepted. */
export async function beginAuthentication(party: RelyingParty, seconds: number, known?: readonly Known[]) {
  const { generateAuthenticationOptions } = await load();
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    timeout: seconds * 1000,
    userVerification: known ? "preferred" : "required",
    ...(known && { allowCredentials: known.map(describe) }),
  });
  return { options, ceremony: toCeremony(options.challenge, party, !known) };
}

function describe({ id, transports }: Known) {
  return { id, transports: transports as AuthenticatorTransport[] };
}

function toCeremony(challenge: string, { id, origins }: RelyingParty, verifiesPerson: boolean): Ceremony {
  return { challenge, rpId: id, origins, verifiesPerson };
}

/** The new credential, or null if the response does not verify. */
export async function finishRegistration(
  response: unknown,
  ceremony: Ceremony,
): Promise<NewCredential | null> {
  const { verifyRegistrationResponse } = await load();
  try {
    const { registrationInfo: made } = await verifyRegistrationResponse({
      response: await withoutAttestation(response as RegistrationResponseJSON),
      supportedAlgorithmIDs: ALGORITHMS,
      ...expected(ceremony),
    });
    if (!made || Buffer.from(made.credential.id, "base64url").length > LONGEST_ID) return null;
    return {
      ...made.credential,
      transports: readTransports(made.credential.transports),
      aaguid: made.aaguid,
      backupEligible: made.credentialDeviceType === "multiDevice",
      backedUp: made.credentialBackedUp,
      userVerified: made.userVerified,
    };
  } catch {
    return null;
  }
}

/**
 * The new signature counter; null if another key signed, if it signed for another site, or if the counter did not
 * increase, which suggests a cloned key.
 */
export async function finishAuthentication(
  response: unknown,
  ceremony: Ceremony,
  credential: Credential,
): Promise<{ counter: number; backedUp: boolean } | null> {
  const { verifyAuthenticationResponse } = await load();
  try {
    const { id, publicKey, counter } = credential;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      credential: { id, publicKey, counter },
      ...expected(ceremony),
    });
    if (!verified) return null;
    return { counter: authenticationInfo.newCounter, backedUp: authenticationInfo.credentialBackedUp };
  } catch {
    return null;
  }
}

function expected({ challenge, origins, rpId, verifiesPerson }: Ceremony) {
  return {
    expectedChallenge: challenge,
    expectedOrigin: [...origins],
    expectedRPID: rpId,
    requireUserVerification: verifiesPerson,
  };
}

/**
 * Attestation is neither requested nor trusted: a statement sent anyway is dropped unparsed, with its certificates and
 * the URLs in them.
 */
async function withoutAttestation(response: RegistrationResponseJSON): Promise<RegistrationResponseJSON> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await loadHelpers();
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.response.attestationObject));
  const plain = new Map<string, string | Uint8Array | Map<string, never>>([
    ["fmt", "none"],
    ["attStmt", new Map<string, never>()],
    ["authData", attestation.get("authData")],
  ]);
  const attestationObject = isoBase64URL.fromBuffer(isoCBOR.encode(plain));
  return { ...response, response: { ...response.response, attestationObject } };
}

const TRANSPORTS = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"];

/** Set by the browser, not signed by the authenticator: only known values are accepted. */
function readTransports(named: unknown): string[] {
  return Array.isArray(named) ? TRANSPORTS.filter((transport) => named.includes(transport)) : [];
}

/** The credential id named in a response, not verified yet; null if there is none. */
export function credentialIdOf(response: unknown): string | null {
  const id = (response as { id?: unknown } | null)?.id;
  return typeof id === "string" && /^[A-Za-z0-9_-]{1,1400}$/.test(id) ? id : null;
}

/** The user handle, as text. */
export function userHandleOf(response: unknown): string | null {
  const handle = (response as { response?: { userHandle?: unknown } }).response?.userHandle;
  return typeof handle === "string" ? Buffer.from(handle, "base64url").toString("utf8") : null;
}
