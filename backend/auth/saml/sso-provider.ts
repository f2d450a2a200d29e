import type { Query, Row } from "#backend/postgres/database.ts";
import { toTime } from "../users/user-json.ts";
import type { AttributeMapping } from "./attributes.ts";

/** An identity provider and its settings. */
export type SamlProvider = {
  id: string;
  resourceId: string | null;
  disabled: boolean | null;
  domains: string[];
  entityId: string;
  metadataXml: string;
  metadataUrl: string | null;
  attributeMapping: AttributeMapping;
  nameIdFormat: string | null;
  createdAt: string | null;
  updatedAt: string | null;
  /** Seconds since its metadata was read. */
  age: number;
};

const select = `
  select provider.*, saml.entity_id, saml.metadata_xml, saml.metadata_url, saml.attribute_mapping, saml.name_id_format,
    extract(epoch from now() - saml.updated_at) as age,
    (select coalesce(json_agg(domain.domain order by domain.created_at, domain.domain), '[]') from auth.sso_domains as domain
     where domain.sso_provider_id = provider.id) as domains
  from auth.sso_providers as provider join auth.saml_providers as saml on saml.sso_provider_id = provider.id`;

const found = {
  id: `${select} where provider.id = $1`,
  resource: `${select} where lower(provider.resource_id) = lower($1)`,
  entity: `${select} where saml.entity_id = $1`,
  domain: `${select} where provider.id =
    (select sso_provider_id from auth.sso_domains where lower(domain) = lower($1))`,
};

export async function findProvider(
  query: Query,
  by: keyof typeof found,
  value: string,
): Promise<SamlProvider | null> {
  const [row] = await query(found[by], [value]);
  return row ? toProvider(row) : null;
}

/** All of them, or those with the given resource id or prefix; oldest first. */
export async function listProviders(
  query: Query,
  { resourceId = "", prefix = "" }: { resourceId?: string; prefix?: string },
): Promise<SamlProvider[]> {
  const text = `${select}
    where ($1 = '' or provider.resource_id = $1) and ($2 = '' or starts_with(provider.resource_id, $2))
    order by provider.created_at, provider.id limit 1000`;
  return (await query(text, [resourceId, resourceId === "" ? prefix : ""])).map(toProvider);
}

function toProvider(row: Row): SamlProvider {
  return {
    id: row.id as string,
    resourceId: row.resource_id ?? null,
    disabled: row.disabled == null ? null : row.disabled === "t",
    domains: JSON.parse(row.domains ?? "[]"),
    entityId: row.entity_id as string,
    metadataXml: row.metadata_xml as string,
    metadataUrl: row.metadata_url ?? null,
    attributeMapping: JSON.parse(row.attribute_mapping ?? "{}"),
    nameIdFormat: row.name_id_format ?? null,
    createdAt: toTime(row.created_at),
    updatedAt: toTime(row.updated_at),
    age: Number(row.age),
  };
}

/** As clients see it; lists omit the metadata, which is long. */
export function toProviderJson(provider: SamlProvider, { isListed = false } = {}): Record<string, unknown> {
  const { id, resourceId, disabled, domains, metadataUrl, nameIdFormat } = provider;
  return {
    id,
    ...(resourceId !== null && { resource_id: resourceId }),
    disabled,
    saml: {
      entity_id: provider.entityId,
      ...(!isListed && { metadata_xml: provider.metadataXml }),
      ...(metadataUrl !== null && { metadata_url: metadataUrl }),
      attribute_mapping: provider.attributeMapping,
      ...(nameIdFormat !== null && { name_id_format: nameIdFormat }),
    },
    domains: domains.map((domain) => ({ domain })),
    created_at: provider.createdAt,
    updated_at: provider.updatedAt,
  };
}
