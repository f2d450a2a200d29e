import type { Sender } from "#backend/auth/messages/mailer.ts";
import { LONE_AUTH_SETTINGS, readAuthSettings } from "./auth-settings.ts";
import { withOriginalDefaults } from "./gotrue/original-defaults.ts";
import { choice } from "./gotrue/setting.ts";
import { readSigning } from "./gotrue/signing.ts";
import { readSmsProvider } from "./gotrue/sms-provider.ts";
import { type Environment, fail, Variables } from "./variables.ts";

/** auth/v1, beside rest or alone, as the hosted service's own variables describe it. */
export type LoneAuthSettings = ReturnType<typeof readLoneAuthSettings>;

const anyPort = { min: 1, max: 65_535 };

/**
 * With the original's defaults. Beside rest it lives at `/auth/v1`, alone at `/`. Throws a `ConfigurationError` of one sentence.
 */
export function readLoneAuthSettings(
  environment: Environment,
  databaseUrl: string,
  { rest }: { rest: boolean },
) {
  const variables = new Variables(environment, "GOTRUE");
  requireOwnDatabase(environment);
  const siteUrl = readAddress(variables, "site-url", "GOTRUE");
  const externalUrl = readAddress(new Variables(environment, "API"), "external-url", "API");
  return {
    /** A login as `supabase_auth_admin`. */
    databaseUrl,
    /** Connections at most; null leaves it to the service. */
    poolSize: variables.integer("db-max-pool-size", { min: 1, max: 10_000 }),
    signing: readSigning(environment),
    config: {
      ...readAuthSettings(withOriginalDefaults(environment), LONE_AUTH_SETTINGS),
      ...(!rest && { basePath: "" }),
      siteUrl,
      externalUrl,
    },
    /** Seal second factors' secrets, the first one new ones; none: the secret that signs tokens does. */
    sealingKeys: new Variables(environment, "SEALING").list("key") ?? [],
    /** Null: no mail leaves. */
    smtp: readSmtp(variables, siteUrl),
    smsProvider: readSmsProvider(environment),
  };
}

/** What the original could be told, and here is as it is. */
function requireOwnDatabase(environment: Environment): void {
  choice("GOTRUE_DB_DRIVER", ["postgres"])(environment);
  choice("GOTRUE_DB_NAMESPACE", ["auth"])(environment);
  choice("DB_NAMESPACE", ["auth"])(environment);
}

function readAddress(variables: Variables, name: string, prefix: string): string {
  const address = variables.text(name);
  if (address !== null && /^https?:/.test(address) && URL.canParse(address)) return address;
  return fail(name, "must be set where accounts are served, as an address", prefix);
}

function readSmtp(variables: Variables, siteUrl: string): { url: string; from: Sender } | null {
  const host = variables.text("smtp-host");
  if (host === null) return null;
  const port = variables.integer("smtp-port", anyPort) ?? 587;
  // That port speaks TLS from its first byte (RFC 8314 §3.3); any other changes to it once connected.
  const url = new URL(`${port === 465 ? "smtps" : "smtp"}://${host}:${port}`);
  url.username = encodeURIComponent(variables.text("smtp-user") ?? "");
  url.password = encodeURIComponent(variables.text("smtp-pass") ?? "");
  const { hostname } = new URL(siteUrl);
  const from = {
    name: variables.text("smtp-sender-name") ?? hostname,
    address: variables.text("smtp-admin-email") ?? `no-reply@${hostname}`,
  };
  return { url: url.href, from };
}
