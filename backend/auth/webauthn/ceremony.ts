import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import type { Credential, NewCredential } from "./credential.ts";
import type { RelyingParty } from "./relying-party.ts";

/** What must be remembered between asking an authenticator and judging its answer. */
export type Ceremony = {
  challenge: string;
  rpId: string;
  origins: readonly string[];
  /** The person must have shown the authenticator a finger, a face or a PIN. */
  verifiesPerson: boolean;
};

/** EdDSA, ES256 and RS256 (RFC 9053): what authenticators can; the newer ones of runtimes are experiments yet. */
const ALGORITHMS = [-8, -7, -257];

// Brought when the first key comes: no start should wait for its 30 MB.
const bring = () => import("@simplewebauthn/server");
const bringHelpers = () => import("@simplewebauthn/server/helpers");

type Known = Pick<Credential, "id" | "transports">;

export type Registration = {
  party: RelyingParty;
  /** What the authenticator keeps the key under: a second one under the same replaces the first. */
  handle: string;
  /** What the authenticator's own list calls it. */
  userName: string;
  displayName: string;
  /** Authenticators that have one of these make no second one. */
  known: readonly Known[];
  /** A passkey: found without a name, and only for the person in person. */
  isPasskey: boolean;
  seconds: number;
};

/** Options for `navigator.credentials.create()`. */
export async function beginRegistration(registration: Registration) {
  const { party, isPasskey } = registration;
  const { generateRegistrationOptions } = await bring();
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
  return { options, ceremony: remember(options.challenge, party, isPasskey) };
}

/** Options for `navigator.credentials.get()`; without `known` any passkey of the site will do. */
export async function beginAuthentication(party: RelyingParty, seconds: number, known?: readonly Known[]) {
  const { generateAuthenticationOptions } = await bring();
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    timeout: seconds * 1000,
    userVerification: known ? "preferred" : "required",
    ...(known && { allowCredentials: known.map(describe) }),
  });
  return { options, ceremony: remember(options.challenge, party, !known) };
}

function describe({ id, transports }: Known) {
  return { id, transports: transports as AuthenticatorTransport[] };
}

function remember(challenge: string, { id, origins }: RelyingParty, verifiesPerson: boolean): Ceremony {
  return { challenge, rpId: id, origins, verifiesPerson };
}

/** The new key, or null when the answer is not what was asked for. */
export async function finishRegistration(
  response: unknown,
  ceremony: Ceremony,
): Promise<NewCredential | null> {
  const { verifyRegistrationResponse } = await bring();
  try {
    const { registrationInfo: made } = await verifyRegistrationResponse({
      response: await withoutAttestation(response as RegistrationResponseJSON),
      supportedAlgorithmIDs: ALGORITHMS,
      ...expected(ceremony),
    });
    if (!made) return null;
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

/** The key's new counter, or null when it was not that key that signed, not for us, or a copy of it that lags behind. */
export async function finishAuthentication(
  response: unknown,
  ceremony: Ceremony,
  credential: Credential,
): Promise<{ counter: number; backedUp: boolean } | null> {
  const { verifyAuthenticationResponse } = await bring();
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
 * No authenticator is asked who made it, and none is believed: a statement that came all the same is left unread, with
 * the certificates in it and the addresses in those.
 */
async function withoutAttestation(response: RegistrationResponseJSON): Promise<RegistrationResponseJSON> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await bringHelpers();
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

/** The browser's word, not the authenticator's: only known ones are kept. */
function readTransports(named: unknown): string[] {
  return Array.isArray(named) ? TRANSPORTS.filter((transport) => named.includes(transport)) : [];
}

/** The id that an answer names, unproved; null where it names none. */
export function credentialIdOf(response: unknown): string | null {
  const id = (response as { id?: unknown } | null)?.id;
  return typeof id === "string" && /^[A-Za-z0-9_-]{1,1400}$/.test(id) ? id : null;
}

/** The handle that the authenticator kept the key under, as text. */
export function userHandleOf(response: unknown): string | null {
  const handle = (response as { response?: { userHandle?: unknown } }).response?.userHandle;
  return typeof handle === "string" ? Buffer.from(handle, "base64url").toString("utf8") : null;
}
