import type { Sender } from "#backend/auth/messages/mailer.ts";
import type { AuthConfig } from "#backend/auth/service/auth-config.ts";
import { readAuthSettings } from "./auth-settings.ts";
import { type Environment, fail, Variables } from "./variables.ts";

/** auth/v1 beside rest, as the hosted service's own variables describe it. */
export type LoneAuthSettings = {
  /** A login as `supabase_auth_admin`. */
  databaseUrl: string;
  config: Partial<AuthConfig> & Pick<AuthConfig, "siteUrl" | "externalUrl">;
  /** Seal second factors' secrets, the first one new ones; none: the secret that signs tokens does. */
  sealingKeys: string[];
  /** Null: no mail leaves. */
  smtp: { url: string; from: Sender } | null;
};

const anyPort = { min: 1, max: 65_535 };

/** `GOTRUE_DB_DATABASE_URL` switches it on; null without it. Throws a `ConfigurationError` of one sentence. */
export function readLoneAuthSettings(environment: Environment): LoneAuthSettings | null {
  const variables = new Variables(environment, "GOTRUE");
  const databaseUrl = variables.text("db-database-url");
  if (databaseUrl === null) return null;
  const siteUrl = readAddress(variables, "site-url", "GOTRUE");
  const externalUrl = readAddress(new Variables(environment, "API"), "external-url", "API");
  return {
    databaseUrl,
    config: { ...readAuthSettings(environment), siteUrl, externalUrl },
    sealingKeys: new Variables(environment, "SEALING").list("key") ?? [],
    smtp: readSmtp(variables, siteUrl),
  };
}

function readAddress(variables: Variables, name: string, prefix: string): string {
  const address = variables.text(name);
  if (address !== null && /^https?:/.test(address) && URL.canParse(address)) return address;
  return fail(name, "must be set beside GOTRUE_DB_DATABASE_URL, as an address", prefix);
}

function readSmtp(variables: Variables, siteUrl: string): LoneAuthSettings["smtp"] {
  const host = variables.text("smtp-host");
  if (host === null) return null;
  const url = new URL(`smtp://${host}`);
  url.port = String(variables.integer("smtp-port", anyPort) ?? 587);
  url.username = encodeURIComponent(variables.text("smtp-user") ?? "");
  url.password = encodeURIComponent(variables.text("smtp-pass") ?? "");
  const { hostname } = new URL(siteUrl);
  const from = {
    name: variables.text("smtp-sender-name") ?? hostname,
    address: variables.text("smtp-admin-email") ?? `no-reply@${hostname}`,
  };
  return { url: url.href, from };
}
