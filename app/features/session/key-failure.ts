type Failure = { name?: string; message: string; code?: string | undefined };

const CANCELLED = "The request was cancelled or took too long. Nothing has changed.";
const NOT_HERE = "Passkeys and security keys can't be used at this address.";

/** What a browser or the service says of a key that did not do, by its code or its name. */
const SENTENCES = new Map([
  ["NotAllowedError", CANCELLED],
  ["AbortError", CANCELLED],
  ["ERROR_CEREMONY_ABORTED", CANCELLED],
  ["ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED", "This device already has one for your account."],
  ["ERROR_INVALID_DOMAIN", NOT_HERE],
  ["ERROR_INVALID_RP_ID", NOT_HERE],
  [
    "ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT",
    "This device can't check that it is you. Set up its screen lock or a PIN, or use another one.",
  ],
  [
    "ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT",
    "This device can't keep passkeys. Please use another one.",
  ],
  [
    "webauthn_verification_failed",
    "This passkey was not accepted. It may have been removed from its account.",
  ],
  ["webauthn_challenge_expired", "That took too long. Please try again."],
  ["webauthn_challenge_not_found", "That took too long. Please try again."],
  ["mfa_challenge_expired", "That took too long. Please try again."],
  [
    "mfa_verification_failed",
    "This security key was not accepted. Is it one that you added to your account?",
  ],
  ["passkey_disabled", "Passkeys are switched off at the moment."],
  ["mfa_webauthn_enroll_not_enabled", "Security keys are switched off at the moment."],
  ["mfa_webauthn_verify_not_enabled", "Security keys are switched off at the moment."],
  ["too_many_passkeys", "You have as many passkeys as an account can have. Remove one first."],
]);

/** An answer whose error is said in a sentence of ours, where there is one for it. */
export function inPlainWords<A extends { error: Failure | null }>(answer: A) {
  const { error } = answer;
  const sentence = error && (SENTENCES.get(error.code ?? "") ?? SENTENCES.get(error.name ?? ""));
  return sentence ? { ...answer, error: { name: error.name, message: sentence } } : answer;
}
