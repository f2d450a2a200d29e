import type { Call, Reply } from "../../requests/call.ts";
import { NAME_ID } from "../../saml/name-id.ts";
import {
  certificateOf,
  loadSaml,
  requireSaml,
  serviceAddresses,
  serviceKeys,
} from "../../saml/service-provider.ts";
import type { AuthService } from "../../service/auth-service.ts";

/**
 * GET /sso/saml/metadata: this service provider's SAML metadata; `?download=true` returns it as a file.
 * While a key is replaced, providers are asked to fetch it often.
 */
export async function describeServiceProvider({ query }: Call, { config }: AuthService): Promise<Reply> {
  const settings = requireSaml(config);
  const { entityId, acs } = serviceAddresses(config);
  const { privateKey, nextKey } = settings;
  const certificates = await Promise.all(serviceKeys(settings).map((key) => certificateOf(key, entityId)));
  const { generateServiceProviderMetadata } = await loadSaml();
  const xml = generateServiceProviderMetadata({
    issuer: entityId,
    callbackUrl: acs,
    identifierFormat: NAME_ID.persistent,
    wantAssertionsSigned: true,
    privateKey,
    publicCerts: certificates,
    ...(settings.allowEncrypted && { decryptionPvk: privateKey, decryptionCert: certificates[0] as string }),
  });
  return {
    status: 200,
    text:
      nextKey === null ? xml : xml.replace("<EntityDescriptor ", '<EntityDescriptor cacheDuration="PT1H" '),
    headers: {
      "content-type": "application/xml",
      "cache-control": `public, max-age=${nextKey === null ? 600 : 60}`,
      ...(query.get("download") === "true" && {
        "content-disposition": 'attachment; filename="metadata.xml"',
      }),
    },
  };
}
