import type { Environment } from "../variables.ts";

/** Defaults of standalone GoTrue that differ from those of hosted projects, which are ours. */
const DEFAULTS: Record<string, string> = {
  GOTRUE_MAILER_OTP_EXP: "86400",
  GOTRUE_RATE_LIMIT_EMAIL_SENT: "30",
  GOTRUE_RATE_LIMIT_SMS_SENT: "30",
  GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL: "0",
};

/** The environment with GoTrue's defaults for unset variables. */
export function withOriginalDefaults(environment: Environment): Environment {
  return new Proxy(environment, {
    get: (target, name) => target[String(name)] || DEFAULTS[String(name)],
  });
}
