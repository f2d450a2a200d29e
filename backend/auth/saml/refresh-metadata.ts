import type { Query } from "#backend/postgres/database.ts";
import type { SamlSettings } from "../service/auth-config.ts";
import { fetchMetadata } from "./fetch-metadata.ts";
import { readMetadata } from "./metadata.ts";
import type { SamlProvider } from "./sso-provider.ts";

const DAY = 24 * 3600;

/** Metadata from an address is read again after a day; where that fails, the one that is known goes on. */
export async function withFreshMetadata(
  query: Query,
  provider: SamlProvider,
  settings: SamlSettings,
): Promise<SamlProvider> {
  const { metadataUrl, entityId, age } = provider;
  if (metadataUrl === null || age < DAY) return provider;
  const metadataXml = await fetchMetadata(metadataUrl, settings).catch(() => null);
  if (metadataXml === null || !describes(metadataXml, entityId)) return provider;
  await query(
    "update auth.saml_providers set metadata_xml = $2, updated_at = now() where sso_provider_id = $1",
    [provider.id, metadataXml],
  );
  return { ...provider, metadataXml };
}

function describes(xml: string, entityId: string): boolean {
  try {
    return readMetadata(xml).entityId === entityId;
  } catch {
    return false;
  }
}
