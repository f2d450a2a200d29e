import { randomUUID } from "node:crypto";
import { AuthError, onDuplicate, validationFailed } from "../../auth-error.ts";
import { seal } from "../../factors/sealed-secret.ts";
import { requirePublicAddresses } from "../../provider-protocols/public-address.ts";
import {
  type CustomProviderJson,
  listCustomRows,
  readCustomProvider,
} from "../../providers/custom-providers.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { readBody } from "../../requests/read-body.ts";
import type { AdminCall } from "../../requests/require-admin.ts";
import type { AuthService } from "../../service/auth-service.ts";
import {
  Changes,
  Created,
  type Fields,
  isType,
  refuseReserved,
  requireComplete,
  requirePrefix,
} from "./custom-provider-fields.ts";

/** GET /admin/custom-providers: newest first, optionally filtered by `type`. */
export async function listProviders(call: AdminCall, service: AuthService): Promise<Reply> {
  const type = call.query.get("type");
  if (type !== null && !isType(type)) throw validationFailed("type must be either 'oauth2' or 'oidc'");
  return { status: 200, body: { providers: await listCustomRows(service.database.query, type) } };
}

/** GET /admin/custom-providers/{identifier} */
export async function getProvider(call: AdminCall, service: AuthService): Promise<Reply> {
  return { status: 200, body: await requireProvider(call, service) };
}

/** POST /admin/custom-providers: for OpenID Connect, the discovery document must be reachable. */
export async function createProvider(call: AdminCall, service: AuthService): Promise<Reply> {
  const fields = readBody(call.request, Created);
  requireComplete(fields);
  refuseReserved(fields);
  await requireRoom(service);
  await requireReachable(fields, service);
  const id = randomUUID();
  const columns = { ...storable(fields, id, service), id };
  const names = Object.keys(columns);
  await service.database
    .query(
      `insert into auth.custom_oauth_providers (${names.join(", ")})
       select ${names.join(", ")} from jsonb_populate_record(null::auth.custom_oauth_providers, $1)`,
      [JSON.stringify(columns)],
    )
    .catch(onDuplicate(alreadyThere));
  return { status: 201, body: await readCustomProvider(service.database.query, fields.identifier ?? "") };
}

/** PUT /admin/custom-providers/{identifier}: changes the fields in the body; type and identifier cannot change. */
export async function changeProvider(call: AdminCall, service: AuthService): Promise<Reply> {
  const before = await requireProvider(call, service);
  const fields = readBody(call.request, Changes);
  refuseReserved(fields);
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));
  const after = { ...before, ...given } as Fields;
  requireComplete({ ...after, client_secret: fields.client_secret ?? "kept" });
  await requireReachable(after, service);
  const columns = storable(given, before.id, service);
  const sets = Object.keys(columns).map((name) => `${name} = changed.${name},`);
  await service.database.query(
    `update auth.custom_oauth_providers as provider set ${sets.join(" ")} updated_at = now()
     from jsonb_populate_record(null::auth.custom_oauth_providers, $2) as changed where provider.id = $1`,
    [before.id, JSON.stringify(columns)],
  );
  return { status: 200, body: await readCustomProvider(service.database.query, before.identifier) };
}

/** DELETE /admin/custom-providers/{identifier}: accounts created through it are kept. */
export async function deleteProvider(call: AdminCall, service: AuthService): Promise<Reply> {
  const { id } = await requireProvider(call, service);
  await service.database.query("delete from auth.custom_oauth_providers where id = $1", [id]);
  return { status: 204 };
}

async function requireProvider({ params }: Call, { database }: AuthService): Promise<CustomProviderJson> {
  const identifier = readIdentifier(params.identifier ?? "");
  requirePrefix(identifier);
  const found = await readCustomProvider(database.query, identifier);
  if (!found) throw new AuthError(404, "custom_provider_not_found", "Custom OAuth provider not found");
  return found;
}

function readIdentifier(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function requireRoom({ config, database }: AuthService): Promise<void> {
  const { max } = config.customProviders;
  if (max === 0) return;
  const [row] = await database.query("select count(*) from auth.custom_oauth_providers", []);
  if (Number(row?.count) < max) return;
  throw new AuthError(400, "over_quota", "Maximum number of custom OAuth/OIDC providers reached");
}

/** @throws AuthError 400 for an address on a private network or an unreadable discovery document */
async function requireReachable(fields: Fields, service: AuthService): Promise<void> {
  const addresses = [
    fields.issuer,
    fields.discovery_url,
    fields.authorization_url,
    fields.token_url,
    fields.userinfo_url,
    fields.jwks_uri,
  ].filter((address) => address != null && address !== "");
  await requirePublicAddresses(addresses as string[], service.config.customProviders);
  if (fields.provider_type !== "oidc") return;
  const { privateAddresses } = service.config.customProviders;
  await service
    .connect({
      id: fields.identifier ?? "",
      name: fields.name ?? "",
      clientIds: [fields.client_id ?? ""],
      secret: "not needed to read it",
      redirectUri: null,
      url: null,
      skipNonceCheck: false,
      emailOptional: false,
      scopes: [],
      params: {},
      pkce: true,
      isTrusted: privateAddresses,
      keptClaims: [],
      protocol: "oidc",
      issuer: fields.issuer ?? "",
      discoveryUrl: fields.discovery_url || null,
      mapping: {},
    })
    .catch(() => {
      throw validationFailed(
        "The provider's OpenID Connect description could not be read, or names another issuer",
      );
    });
}

/** The column values, null for an empty text; the secret is sealed and bound to its row. */
function storable(fields: Fields, id: string, { sealingKeys }: AuthService): Record<string, unknown> {
  const given = Object.entries(fields).filter(([, value]) => value != null);
  const columns: Record<string, unknown> = Object.fromEntries(
    given.map(([name, value]) => [name, value === "" ? null : value]),
  );
  if (typeof columns.client_secret === "string") {
    columns.client_secret = seal(columns.client_secret, id, sealingKeys);
  }
  return columns;
}

function alreadyThere(): AuthError {
  return new AuthError(400, "conflict", "A custom OAuth provider with this identifier already exists");
}
