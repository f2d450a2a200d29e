type Failure = { name?: string; message: string; code?: string | undefined };

const CANCELLED = "The request was canceled or took too long. Nothing has changed.";
const NOT_HERE = "Passkeys and security keys can't be used at this address.";

/** Messages for failed keys, by the browser's error name or the service's code. */
const SENTENCES = new Map([
  ["NotAllowedError", CANCELLED],
  ["AbortError", CANCELLED],
  ["ERROR_CEREMONY_ABORTED", CANCELLED],
  ["ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED", "This device already has one for your account."],
  ["ERROR_INVALID_DOMAIN", NOT_HERE],
  ["ERROR_INVALID_RP_ID", NOT_HERE],
  [
    "ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT",
    "This device can't check that it's you. Set up a screen lock or a PIN, or use another device.",
  ],
  [
    "ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT",
    "This device can't store passkeys. Please use another one.",
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
  ["passkey_disabled", "Passkeys are turned off right now."],
  ["mfa_webauthn_enroll_not_enabled", "Security keys are turned off right now."],
  ["mfa_webauthn_verify_not_enabled", "Security keys are turned off right now."],
  ["too_many_passkeys", "Your account can’t have any more passkeys. Remove one first."],
]);

/** Replaces an error's message by ours, if there is one for it. */
export function withReadableError<A extends { error: Failure | null }>(answer: A) {
  const { error } = answer;
  const sentence = error && (SENTENCES.get(error.code ?? "") ?? SENTENCES.get(error.name ?? ""));
  return sentence ? { ...answer, error: { name: error.name, message: sentence } } : answer;
}
