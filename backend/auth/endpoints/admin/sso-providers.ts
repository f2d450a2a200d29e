import { randomUUID } from "node:crypto";
import * as v from "valibot";
import type { Query } from "#backend/postgres/database.ts";
import { AuthError, onDuplicate, validationFailed } from "../../auth-error.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { readBody, text } from "../../requests/read-body.ts";
import type { AdminCall } from "../../requests/require-admin.ts";
import { isUuid } from "../../requests/uuid.ts";
import { AttributeMapping } from "../../saml/attributes.ts";
import { fetchMetadata } from "../../saml/fetch-metadata.ts";
import { readMetadata } from "../../saml/metadata.ts";
import { NAME_ID } from "../../saml/name-id.ts";
import { findProvider, listProviders, type SamlProvider, toProviderJson } from "../../saml/sso-provider.ts";
import type { AuthService } from "../../service/auth-service.ts";

const Body = v.object({
  type: text,
  metadata_url: text,
  metadata_xml: text,
  domains: v.nullish(v.array(v.string())),
  attribute_mapping: v.nullish(AttributeMapping),
  name_id_format: v.nullish(v.string()),
  resource_id: v.nullish(v.string()),
  disabled: v.nullish(v.boolean()),
});
type Fields = v.InferOutput<typeof Body>;

/** GET /admin/sso/providers: all of them, or those matching `resource_id` or `resource_id_prefix`. */
export async function listSsoProviders(call: AdminCall, service: AuthService): Promise<Reply> {
  const resourceId = call.query.get("resource_id") ?? "";
  const prefix = call.query.get("resource_id_prefix") ?? "";
  const found = await listProviders(service.database.query, { resourceId, prefix });
  return {
    status: 200,
    body: { items: found.map((provider) => toProviderJson(provider, { isListed: true })) },
  };
}

/** POST /admin/sso/providers */
export async function createSsoProvider(call: AdminCall, service: AuthService): Promise<Reply> {
  const fields = readBody(call.request, Body);
  if (fields.type !== "saml") throw validationFailed("Only 'saml' supported for SSO provider type");
  const metadata = await readGivenMetadata(fields, service);
  if (!metadata) throw validationFailed("Either metadata_xml or metadata_url must be set");
  const { query } = service.database;
  if (await findProvider(query, "entity", metadata.entityId)) throw entityExists(metadata.entityId);
  const domains = readDomains(fields.domains ?? []);
  await refuseTakenDomains(query, domains, null);
  const id = randomUUID();
  await service.database
    .transaction(async (run) => {
      await run(
        `insert into auth.sso_providers (id, resource_id, disabled, created_at, updated_at) values ($1, $2, $3, now(), now())`,
        [id, fields.resource_id || null, flagOf(fields.disabled)],
      );
      await run(
        `insert into auth.saml_providers
           (id, sso_provider_id, entity_id, metadata_xml, metadata_url, attribute_mapping, name_id_format, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, now(), now())`,
        [
          randomUUID(),
          id,
          metadata.entityId,
          metadata.xml,
          fields.metadata_url || null,
          JSON.stringify(fields.attribute_mapping ?? {}),
          readNameIdFormat(fields.name_id_format),
        ],
      );
      await addDomains(run, id, domains);
    })
    .catch(onDuplicate(() => conflict("Creating SSO provider failed, likely due to a conflict. Try again?")));
  return { status: 201, body: toProviderJson((await findProvider(query, "id", id)) as SamlProvider) };
}

/** GET /admin/sso/providers/{id} */
export async function getSsoProvider(call: AdminCall, service: AuthService): Promise<Reply> {
  return { status: 200, body: toProviderJson(await requireProvider(call, service)) };
}

/** PUT /admin/sso/providers/{id}: changes the fields in the body; new metadata must have the same entity id. */
export async function changeSsoProvider(call: AdminCall, service: AuthService): Promise<Reply> {
  const fields = readBody(call.request, Body);
  const provider = await requireProvider(call, service);
  const metadata = await readGivenMetadata(fields, service);
  if (metadata && metadata.entityId !== provider.entityId) {
    const message = "SAML Metadata can be updated only if the EntityID matches for the provider; expected";
    const compared = `'${provider.entityId}' but got '${metadata.entityId}'`;
    throw new AuthError(400, "saml_entity_id_mismatch", `${message} ${compared}`);
  }
  const { query } = service.database;
  const domains = fields.domains ? readDomains(fields.domains) : null;
  if (domains) await refuseTakenDomains(query, domains, provider.id);
  await service.database
    .transaction((run) => applyChange(run, provider, fields, { metadata, domains }))
    .catch(onDuplicate(() => conflict("Updating SSO provider failed, likely due to a conflict. Try again?")));
  return {
    status: 200,
    body: toProviderJson((await findProvider(query, "id", provider.id)) as SamlProvider),
  };
}

type Change = { metadata: Given | null; domains: string[] | null };

async function applyChange(
  run: Query,
  provider: SamlProvider,
  fields: Fields,
  { metadata, domains }: Change,
): Promise<void> {
  const { id, resourceId, disabled } = provider;
  const resource = fields.resource_id === undefined ? resourceId : fields.resource_id || null;
  const off = fields.disabled === undefined ? disabled : fields.disabled;
  await run(
    "update auth.sso_providers set resource_id = $2, disabled = $3, updated_at = now() where id = $1",
    [id, resource, flagOf(off)],
  );
  const format =
    fields.name_id_format === undefined ? provider.nameIdFormat : readNameIdFormat(fields.name_id_format);
  const url = metadata ? fields.metadata_url || null : provider.metadataUrl;
  await run(
    `update auth.saml_providers set metadata_xml = $2, metadata_url = $3, attribute_mapping = $4, name_id_format = $5,
       updated_at = case when $2 = metadata_xml then updated_at else now() end
     where sso_provider_id = $1`,
    [
      id,
      metadata?.xml ?? provider.metadataXml,
      url,
      JSON.stringify(fields.attribute_mapping ?? provider.attributeMapping),
      format,
    ],
  );
  if (!domains) return;
  await run("delete from auth.sso_domains where sso_provider_id = $1", [id]);
  await addDomains(run, id, domains);
}

/** DELETE /admin/sso/providers/{id}: its users' accounts are kept, but can no longer be signed in to through it. */
export async function deleteSsoProvider(call: AdminCall, service: AuthService): Promise<Reply> {
  const provider = await requireProvider(call, service);
  await service.database.query("delete from auth.sso_providers where id = $1", [provider.id]);
  return { status: 200, body: toProviderJson(provider) };
}

async function requireProvider({ params }: Call, { database }: AuthService): Promise<SamlProvider> {
  const { id = "" } = params;
  const ofResource = /^resource_(.+)$/.exec(id)?.[1];
  const found = ofResource
    ? await findProvider(database.query, "resource", ofResource)
    : isUuid(id) && (await findProvider(database.query, "id", id));
  if (!found) throw new AuthError(404, "sso_provider_not_found", "SSO Identity Provider not found");
  return found;
}

type Given = { xml: string; entityId: string };

/** Null if the body contains none. */
async function readGivenMetadata(
  { metadata_url: url, metadata_xml: xml }: Fields,
  { config }: AuthService,
): Promise<Given | null> {
  if (url !== "" && xml !== "") {
    throw validationFailed("Only one of metadata_xml or metadata_url needs to be set");
  }
  if (url === "" && xml === "") return null;
  const privateAddresses = config.saml?.privateAddresses ?? false;
  const given = xml !== "" ? xml : await fetchMetadata(url, { privateAddresses });
  return { xml: given, entityId: readMetadata(given).entityId };
}

function readNameIdFormat(format: string | null | undefined): string | null {
  const known: string[] = Object.values(NAME_ID);
  if (!format) return null;
  if (known.includes(format)) return format;
  throw validationFailed(`name_id_format must be unspecified or one of ${known.join(", ")}`);
}

const DOMAIN = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

function readDomains(domains: string[]): string[] {
  const read = [...new Set(domains.map((domain) => domain.trim().toLowerCase()))];
  const wrong = read.find((domain) => domain.length > 253 || !DOMAIN.test(domain));
  if (wrong !== undefined) throw validationFailed(`SSO Domain '${wrong.slice(0, 100)}' is not a domain`);
  return read;
}

async function refuseTakenDomains(query: Query, domains: string[], own: string | null): Promise<void> {
  for (const domain of domains) {
    const taken = await findProvider(query, "domain", domain);
    if (!taken || taken.id === own) continue;
    const message = `SSO Domain '${domain}' is already assigned to an SSO identity provider (${taken.id})`;
    throw new AuthError(400, "sso_domain_already_exists", message);
  }
}

async function addDomains(run: Query, id: string, domains: string[]): Promise<void> {
  for (const domain of domains) {
    await run(
      "insert into auth.sso_domains (id, sso_provider_id, domain, created_at, updated_at) values ($1, $2, $3, now(), now())",
      [randomUUID(), id, domain],
    );
  }
}

const flagOf = (value: boolean | null | undefined): string | null => (value == null ? null : String(value));

const conflict = (message: string) => new AuthError(422, "conflict", message);

function entityExists(entityId: string): AuthError {
  const message = `SAML Identity Provider with this EntityID (${entityId}) already exists`;
  return new AuthError(422, "saml_idp_already_exists", message);
}
