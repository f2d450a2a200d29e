import type { AuthConfig } from "#backend/auth/service/auth-config.ts";
import { type Environment, refuse } from "../variables.ts";
import { choice, flag, type SettingRows, seconds, text } from "./setting.ts";

export const captchaSettings = { captcha: readCaptcha } satisfies SettingRows;

const MAKERS = {
  hcaptcha: "https://hcaptcha.com/siteverify",
  turnstile: "https://challenges.cloudflare.com/turnstile/v0/siteverify",
};

/** In seconds; a timer for more than about 24 of them would end at once. */
const DAY = 24 * 60 * 60;

function readCaptcha(environment: Environment): AuthConfig["captcha"] {
  const isAsked = flag("GOTRUE_SECURITY_CAPTCHA_ENABLED")(environment);
  const maker = choice("GOTRUE_SECURITY_CAPTCHA_PROVIDER", ["hcaptcha", "turnstile"])(environment);
  const secret = text("GOTRUE_SECURITY_CAPTCHA_SECRET")(environment);
  const timeout = seconds("GOTRUE_SECURITY_CAPTCHA_TIMEOUT")(environment) ?? 10;
  const verifyUrl = text("GOTRUE_SECURITY_CAPTCHA_VERIFY_URL")(environment);
  if (timeout > DAY) refuse("GOTRUE_SECURITY_CAPTCHA_TIMEOUT", "must be at most 24h");
  if (!isAsked) return null;
  if (secret === null)
    return refuse("GOTRUE_SECURITY_CAPTCHA_SECRET", "must be set when a captcha is asked for");
  if (verifyUrl !== null && !(/^https?:/.test(verifyUrl) && URL.canParse(verifyUrl)))
    return refuse("GOTRUE_SECURITY_CAPTCHA_VERIFY_URL", "must be the address that verifies tokens");
  const known = maker ?? "hcaptcha";
  return { maker: known, secret, verifyUrl: verifyUrl ?? MAKERS[known], timeout };
}
