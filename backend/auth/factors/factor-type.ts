import { AuthError, validationFailed } from "../auth-error.ts";
import type { AuthConfig } from "../service/auth-config.ts";

export type FactorType = "totp" | "phone" | "webauthn";

const LABELS: Record<FactorType, string> = { totp: "TOTP", phone: "Phone", webauthn: "WebAuthn" };

/** @throws AuthError 400 for an unknown type, 422 for a disabled one */
export function requireFactorType(type: string, config: AuthConfig, act: "enroll" | "verify"): FactorType {
  if (!Object.hasOwn(LABELS, type)) {
    throw validationFailed("factor_type needs to be totp, phone, or webauthn");
  }
  const known = type as FactorType;
  if (act === "enroll" && !config[`${known}Enroll`]) {
    throw new AuthError(
      422,
      `mfa_${known}_enroll_not_enabled`,
      `MFA enroll is disabled for ${LABELS[known]}`,
    );
  }
  if (act === "verify" && !config[`${known}Verify`]) {
    const message = `MFA verification is disabled for ${LABELS[known]}`;
    throw new AuthError(422, `mfa_${known}_verify_not_enabled`, message);
  }
  return known;
}

/** The method in a session's `amr`. */
export const METHODS: Record<FactorType, string> = {
  totp: "totp",
  phone: "mfa/phone",
  webauthn: "mfa/webauthn",
};
