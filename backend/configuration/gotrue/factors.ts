import type { AuthConfig } from "#backend/auth/service/auth-config.ts";
import { type Environment, refuse } from "../variables.ts";
import { anyCount, anySeconds, flag, list, type SettingRows, seconds, text, wholeNumber } from "./setting.ts";

export const factorSettings = {
  totpEnroll: flag("GOTRUE_MFA_TOTP_ENROLL_ENABLED"),
  totpVerify: flag("GOTRUE_MFA_TOTP_VERIFY_ENABLED"),
  phoneEnroll: flag("GOTRUE_MFA_PHONE_ENROLL_ENABLED"),
  phoneVerify: flag("GOTRUE_MFA_PHONE_VERIFY_ENABLED"),
  phoneFactorCodeLength: wholeNumber("GOTRUE_MFA_PHONE_OTP_LENGTH", { min: 6, max: 10 }),
  webauthnEnroll: flag("GOTRUE_MFA_WEB_AUTHN_ENROLL_ENABLED"),
  webauthnVerify: flag("GOTRUE_MFA_WEB_AUTHN_VERIFY_ENABLED"),
  maxFactors: wholeNumber("GOTRUE_MFA_MAX_ENROLLED_FACTORS", anyCount),
  maxVerifiedFactors: wholeNumber("GOTRUE_MFA_MAX_VERIFIED_FACTORS", anyCount),
  challengeExpiry: wholeNumber("GOTRUE_MFA_CHALLENGE_EXPIRY_DURATION", anySeconds),
  factorExpiry: seconds("GOTRUE_MFA_FACTOR_EXPIRY_DURATION"),
  passkeysEnabled: flag("GOTRUE_PASSKEY_ENABLED"),
  maxPasskeys: wholeNumber("GOTRUE_PASSKEY_MAX_PASSKEYS_PER_USER", anyCount),
  passkeyChallengeExpiry: seconds("GOTRUE_WEBAUTHN_CHALLENGE_EXPIRY_DURATION"),
  relyingParty: readRelyingParty,
} satisfies SettingRows;

const ORIGINS = "GOTRUE_WEBAUTHN_RP_ORIGINS";

/** An origin's host must be the RP id or a subdomain of it: browsers reject others (WebAuthn Level 3, §5.1.3). */
function readRelyingParty(environment: Environment): AuthConfig["relyingParty"] | null {
  const id = text("GOTRUE_WEBAUTHN_RP_ID")(environment);
  const name = text("GOTRUE_WEBAUTHN_RP_DISPLAY_NAME")(environment);
  const origins = list(ORIGINS)(environment);
  if (id === null && name === null && origins === null) return null;
  if (id !== null && !/^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(id)) {
    refuse("GOTRUE_WEBAUTHN_RP_ID", "must be the site's host name, without protocol and port");
  }
  for (const origin of origins ?? []) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      refuse(ORIGINS, "must list origins such as https://site.example");
    }
    const { hostname } = new URL(origin);
    if (id !== null && hostname !== id && !hostname.endsWith(`.${id}`)) {
      refuse(ORIGINS, "must list origins of GOTRUE_WEBAUTHN_RP_ID's own host");
    }
  }
  return { id, name, origins };
}
