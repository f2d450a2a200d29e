import type { Query, Row } from "#backend/postgres/database.ts";
import { unseal } from "../factors/sealed-secret.ts";
import { readClaims } from "../provider-protocols/claims.ts";
import type { Provider } from "../provider-protocols/provider.ts";
import type { AuthService } from "../service/auth-service.ts";

type Service = Pick<AuthService, "config" | "database" | "sealingKeys">;

/** A row of `auth.custom_oauth_providers` as JSON, without `client_secret`. */
export type CustomProviderJson = {
  id: string;
  provider_type: "oidc" | "oauth2";
  identifier: string;
  name: string;
  client_id: string;
  acceptable_client_ids: string[];
  scopes: string[];
  pkce_enabled: boolean;
  attribute_mapping: Record<string, string>;
  authorization_params: Record<string, string>;
  enabled: boolean;
  email_optional: boolean;
  issuer: string | null;
  discovery_url: string | null;
  skip_nonce_check: boolean;
  authorization_url: string | null;
  token_url: string | null;
  userinfo_url: string | null;
  jwks_uri: string | null;
  custom_claims_allowlist: string[];
};

const select = `
  select to_jsonb(provider) - 'client_secret' - 'cached_discovery' - 'discovery_cached_at' as provider, client_secret
  from auth.custom_oauth_providers as provider`;

/** An enabled provider; null if there is none, or no key unseals its secret. */
export async function findCustomProvider(service: Service, identifier: string): Promise<Provider | null> {
  const rows = await service.database.query(`${select} where identifier = $1 and enabled`, [identifier]);
  return rows[0] ? toProvider(rows[0], service) : null;
}

/** The enabled providers for a sign-in page, oldest first. */
export async function listCustomProviders({
  config,
  database,
}: Pick<AuthService, "config" | "database">): Promise<{ id: string; name: string }[]> {
  if (!config.customProviders.enabled) return [];
  const text =
    "select identifier, name from auth.custom_oauth_providers where enabled order by created_at, id limit 100";
  const rows = await database.query(text, []);
  return rows.map(({ identifier, name }) => ({ id: identifier ?? "", name: name ?? "" }));
}

/** All providers as operators see them, newest first. */
export async function listCustomRows(query: Query, type: string | null): Promise<CustomProviderJson[]> {
  const text = `${select} where $1::text is null or provider_type = $1 order by created_at desc, id limit 1000`;
  return (await query(text, [type])).map(toJson);
}

export async function readCustomProvider(
  query: Query,
  identifier: string,
): Promise<CustomProviderJson | null> {
  const [row] = await query(`${select} where identifier = $1`, [identifier]);
  return row ? toJson(row) : null;
}

function toJson({ provider }: Row): CustomProviderJson {
  return JSON.parse(provider ?? "{}") as CustomProviderJson;
}

function toProvider(row: Row, { config, sealingKeys }: Service): Provider | null {
  const json = toJson(row);
  const secret = unseal(row.client_secret ?? "", json.id, sealingKeys);
  if (secret === null) return null;
  const common = {
    id: json.identifier,
    name: json.name,
    clientIds: [json.client_id, ...json.acceptable_client_ids] as const,
    secret,
    redirectUri: null,
    url: null,
    skipNonceCheck: json.skip_nonce_check,
    emailOptional: json.email_optional,
    params: json.authorization_params,
    pkce: json.pkce_enabled,
    isTrusted: config.customProviders.privateAddresses,
    keptClaims: json.custom_claims_allowlist,
  };
  if (json.provider_type === "oidc") {
    return {
      ...common,
      protocol: "oidc",
      scopes: [...new Set(["openid", ...json.scopes])],
      issuer: json.issuer ?? "",
      discoveryUrl: json.discovery_url,
      mapping: json.attribute_mapping,
    };
  }
  return {
    ...common,
    protocol: "oauth2",
    scopes: json.scopes,
    authorizationUrl: json.authorization_url ?? "",
    tokenUrl: json.token_url ?? "",
    async readPerson(read) {
      const claims = (await read(json.userinfo_url ?? "")) as Record<string, unknown>;
      return readClaims({ sub: claims.id, ...claims }, json.attribute_mapping, json.custom_claims_allowlist);
    },
  };
}
