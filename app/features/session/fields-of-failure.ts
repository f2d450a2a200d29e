/** The fields that a refusal of the service may be about, by its code; a form shows it at those that it has. */
const FIELDS: Record<string, readonly string[]> = {
  email_exists: ["email"],
  user_already_exists: ["email"],
  email_address_invalid: ["email"],
  weak_password: ["password"],
  same_password: ["password"],
  invalid_credentials: ["password", "proof"],
  current_password_invalid: ["current"],
  otp_expired: ["code", "proof"],
  mfa_verification_failed: ["code", "proof"],
  reauthentication_not_valid: ["nonce"],
};

/** The fields that a failure may be about; none where it is about the whole form. */
export function fieldsOfFailure({ code = "" }: { code?: string | undefined }): readonly string[] {
  return FIELDS[code] ?? [];
}
