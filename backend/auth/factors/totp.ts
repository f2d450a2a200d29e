import { Secret, TOTP } from "otpauth";
import { renderSVG } from "uqr";

const SECRET_BYTES = 20;
/** Accepts codes of the previous and next time step, too, since clocks differ. */
const STEPS_ASIDE = 1;

export type TotpKey = { secret: string; uri: string; qr_code: string };

/** A new key for an authenticator app (RFC 6238: SHA-1, six digits, 30 seconds), also as a QR code. */
export function makeTotpKey(issuer: string, label: string): TotpKey {
  const totp = new TOTP({ issuer, label, secret: new Secret({ size: SECRET_BYTES }) });
  const uri = totp.toString();
  return { secret: totp.secret.base32, uri, qr_code: renderSVG(uri) };
}

export function isTotpCode(code: string, secret: string): boolean {
  if (!/^\d{6}$/.test(code)) return false;
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  return totp.validate({ token: code, window: STEPS_ASIDE }) !== null;
}
