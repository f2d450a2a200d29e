import type { SamlSettings } from "../service/auth-config.ts";
import type { AuthService } from "../service/auth-service.ts";
import { fetchMetadata } from "./fetch-metadata.ts";
import { type Metadata, readMetadata } from "./metadata.ts";
import type { SamlProvider } from "./sso-provider.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;

/**
 * Refetches metadata from its URL after a day, or once it has expired; if that fails, keeps the known metadata and tries
 * again in an hour. While an attempt is under way and after it failed, sign-ins do not wait for an address that may not
 * answer.
 */
export async function withFreshMetadata(
  { database, metadataAttempts }: Pick<AuthService, "database" | "metadataAttempts">,
  provider: SamlProvider,
  settings: SamlSettings,
): Promise<SamlProvider> {
  const { id, metadataUrl, entityId } = provider;
  const last = metadataAttempts.get(id) ?? Number.NEGATIVE_INFINITY;
  if (metadataUrl === null || !isStale(provider) || performance.now() - last < HOUR * 1000) return provider;
  metadataAttempts.set(id, performance.now());
  const metadataXml = await fetchMetadata(metadataUrl, settings).catch(() => null);
  if (metadataXml === null || read(metadataXml)?.entityId !== entityId) return provider;
  metadataAttempts.delete(id);
  await database.query(
    "update auth.saml_providers set metadata_xml = $2, updated_at = now() where sso_provider_id = $1",
    [id, metadataXml],
  );
  return { ...provider, metadataXml };
}

function isStale({ age, metadataXml }: SamlProvider): boolean {
  if (age < HOUR || age >= DAY) return age >= DAY;
  const until = read(metadataXml)?.validUntil?.getTime() ?? Number.POSITIVE_INFINITY;
  return until < Date.now();
}

function read(xml: string): Metadata | null {
  try {
    return readMetadata(xml);
  } catch {
    return null;
  }
}
