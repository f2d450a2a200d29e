import type { Sender } from "#backend/auth/messages/mailer.ts";
import { readAuthSettings, STANDALONE_AUTH_SETTINGS } from "./auth-settings.ts";
import { choice } from "./gotrue/setting.ts";
import { readSigning } from "./gotrue/signing.ts";
import { readSmsProvider } from "./gotrue/sms-provider.ts";
import { type Environment, refuse, Variables } from "./variables.ts";

/** Settings of auth/v1, with or without rest, from the hosted service's own variables. */
export type StandaloneAuthSettings = ReturnType<typeof readStandaloneAuthSettings>;

const anyPort = { min: 1, max: 65_535 };

/**
 * Reads them with GoTrue's defaults. With rest, the base path is `/auth/v1`, else `/`. Throws a one-sentence
 * `ConfigurationError`.
 */
export function readStandaloneAuthSettings(
  environment: Environment,
  databaseUrl: string,
  { rest }: { rest: boolean },
) {
  const variables = new Variables(environment);
  requireOwnDatabase(environment);
  const siteUrl = readAddress(variables, "GOTRUE_SITE_URL");
  const issuer = readAddress(variables, "API_EXTERNAL_URL");
  return {
    /** A login as `supabase_auth_admin`. */
    databaseUrl,
    /** Maximum connections; null for the service's default. */
    poolSize: variables.integer("GOTRUE_DB_MAX_POOL_SIZE", { min: 1, max: 10_000 }),
    signing: readSigning(environment),
    config: {
      // Tokens name the address as it is written, as upstream's do; paths are appended to it without the final slash.
      issuer,
      ...readAuthSettings(withOriginalDefaults(environment), STANDALONE_AUTH_SETTINGS),
      ...(!rest && { basePath: "" }),
      siteUrl,
      externalUrl: issuer.replace(/\/+$/, ""),
    },
    /** Encrypt second factors' secrets; the first one encrypts new ones. If empty, the token signing secret is used. */
    sealingKeys: variables.list("SEALING_KEY") ?? [],
    /** Null: no mail is sent. */
    smtp: readSmtp(variables, siteUrl),
    smsProvider: readSmsProvider(environment),
  };
}

/** Options of GoTrue that are fixed here: any other value is refused. */
function requireOwnDatabase(environment: Environment): void {
  choice("GOTRUE_DB_DRIVER", ["postgres"])(environment);
  choice("GOTRUE_DB_NAMESPACE", ["auth"])(environment);
  choice("DB_NAMESPACE", ["auth"])(environment);
}

function readAddress(variables: Variables, name: string): string {
  const address = variables.text(name);
  if (address !== null && /^https?:/.test(address) && URL.canParse(address)) return address;
  return refuse(name, "must be set where accounts are served, as an address");
}

function readSmtp(variables: Variables, siteUrl: string): { url: string; from: Sender } | null {
  const host = variables.text("GOTRUE_SMTP_HOST");
  if (host === null) return null;
  const port = variables.integer("GOTRUE_SMTP_PORT", anyPort) ?? 587;
  // Port 465 uses implicit TLS (RFC 8314 §3.3); any other upgrades with STARTTLS.
  const url = new URL(`${port === 465 ? "smtps" : "smtp"}://${host}:${port}`);
  url.username = encodeURIComponent(variables.text("GOTRUE_SMTP_USER") ?? "");
  url.password = encodeURIComponent(variables.text("GOTRUE_SMTP_PASS") ?? "");
  const { hostname } = new URL(siteUrl);
  const from = {
    name: variables.text("GOTRUE_SMTP_SENDER_NAME") ?? hostname,
    address: variables.text("GOTRUE_SMTP_ADMIN_EMAIL") ?? `no-reply@${hostname}`,
  };
  return { url: url.href, from };
}

/** Defaults of standalone GoTrue that differ from those of hosted projects, which are ours. */
const DEFAULTS: Record<string, string> = {
  GOTRUE_MAILER_OTP_EXP: "86400",
  GOTRUE_RATE_LIMIT_EMAIL_SENT: "30",
  GOTRUE_RATE_LIMIT_SMS_SENT: "30",
  GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL: "0",
};

/** The environment with GoTrue's defaults for unset variables. */
function withOriginalDefaults(environment: Environment): Environment {
  return new Proxy(environment, {
    get: (target, name) => target[String(name)] || DEFAULTS[String(name)],
  });
}
