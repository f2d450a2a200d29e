import type { Query } from "#backend/postgres/database.ts";
import type { SamlSettings } from "../service/auth-config.ts";
import { fetchMetadata } from "./fetch-metadata.ts";
import { readMetadata } from "./metadata.ts";
import type { SamlProvider } from "./sso-provider.ts";

const DAY = 24 * 3600;

/** Refetches metadata from its URL after a day; if that fails, keeps the known metadata and tries again in an hour. */
export async function withFreshMetadata(
  query: Query,
  provider: SamlProvider,
  settings: SamlSettings,
): Promise<SamlProvider> {
  const { metadataUrl, entityId, age } = provider;
  if (metadataUrl === null || age < DAY) return provider;
  const metadataXml = await fetchMetadata(metadataUrl, settings).catch(() => null);
  if (metadataXml === null || !describes(metadataXml, entityId)) {
    // Otherwise every sign-in would wait for an address that does not answer.
    await query(
      "update auth.saml_providers set updated_at = now() - interval '23 hours' where sso_provider_id = $1",
      [provider.id],
    );
    return provider;
  }
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
