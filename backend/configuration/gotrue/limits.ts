import type { Limit, LimitedAction } from "#backend/auth/limits/limited-actions.ts";
import { type AuthConfig, defaultAuthConfig } from "#backend/auth/service/auth-config.ts";
import { type Environment, refuse } from "../variables.ts";
import { anyCount, type SettingRows, seconds, text, wholeNumber } from "./setting.ts";

export const limitSettings = { limits: readLimits } satisfies SettingRows;

/** Rate limits; if an action has two rows, the later one wins. */
const POINTS: readonly [variable: string, action: LimitedAction][] = [
  // GoTrue has one limit for all of /token, and one for all requests for an account or a code.
  ["GOTRUE_RATE_LIMIT_TOKEN_REFRESH", "refresh"],
  ["GOTRUE_RATE_LIMIT_TOKEN_REFRESH", "signIn"],
  ["GOTRUE_RATE_LIMIT_VERIFY", "verify"],
  ["GOTRUE_RATE_LIMIT_OTP", "send"],
  ["GOTRUE_RATE_LIMIT_OTP", "signUp"],
  ["GOTRUE_RATE_LIMIT_SIGN_UPS", "signUp"],
  ["GOTRUE_RATE_LIMIT_SIGN_UPS_DAY", "signUpDay"],
  ["GOTRUE_RATE_LIMIT_ANONYMOUS_USERS", "signUpAnonymously"],
  ["GOTRUE_RATE_LIMIT_SIGN_INS", "signIn"],
  ["GOTRUE_RATE_LIMIT_PASSKEY", "passkey"],
  ["GOTRUE_RATE_LIMIT_OAUTH_DYNAMIC_CLIENT_REGISTER", "oauthRegister"],
  ["GOTRUE_RATE_LIMIT_WEB3", "web3"],
  ["GOTRUE_RATE_LIMIT_SSO", "sso"],
  ["GOTRUE_SAML_RATE_LIMIT_ASSERTION", "assertion"],
  ["GOTRUE_MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY", "factor"],
];

/** Limits for all users together, per hour or per another time: `100/24h`. */
const TOGETHER: readonly [variable: string, action: LimitedAction][] = [
  ["GOTRUE_RATE_LIMIT_EMAIL_SENT", "mailsSent"],
  ["GOTRUE_RATE_LIMIT_SMS_SENT", "textsSent"],
];

/** Minimum time between two of these actions. */
const PAUSES: readonly [variable: string, action: LimitedAction][] = [
  ["GOTRUE_SMTP_MAX_FREQUENCY", "accountSend"],
  ["GOTRUE_SMS_MAX_FREQUENCY", "accountSms"],
  ["GOTRUE_MFA_PHONE_MAX_FREQUENCY", "accountFactorSms"],
];

function readLimits(environment: Environment): AuthConfig["limits"] {
  const limits = { ...defaultAuthConfig.limits };
  const isDaySet = wholeNumber("GOTRUE_RATE_LIMIT_SIGN_UPS_DAY", anyCount)(environment) !== null;
  for (const [variable, action] of POINTS) {
    const points = wholeNumber(variable, anyCount)(environment);
    if (points !== null) limits[action] = { ...limits[action], points };
  }
  const { signUp, signUpDay } = limits;
  // A limit raised for five minutes must not be undercut by the daily one.
  if (!isDaySet) limits.signUpDay = { ...signUpDay, points: Math.max(signUpDay.points, signUp.points) };
  for (const [variable, action] of TOGETHER) {
    const limit = readRate(variable, environment);
    if (limit !== null) limits[action] = limit;
  }
  for (const [variable, action] of PAUSES) {
    const pause = seconds(variable)(environment);
    if (pause !== null) limits[action] = onceIn(pause);
  }
  return limits;
}

const HOUR = 3600;

function readRate(variable: string, environment: Environment): Limit | null {
  const rate = text(variable)(environment);
  if (rate === null) return null;
  const [points = "", time] = rate.split("/", 2);
  const isWhole = /^\d+$/.test(points) && Number(points) <= anyCount.max;
  const within = time === undefined ? HOUR : seconds(variable)({ [variable]: time });
  if (!isWhole || !within)
    refuse(variable, "must be a whole number, or one in a length of time such as 100/24h");
  return { points: Number(points), seconds: within };
}

function onceIn(pause: number): Limit {
  return { points: 1, seconds: Math.max(1, Math.round(pause)) };
}
