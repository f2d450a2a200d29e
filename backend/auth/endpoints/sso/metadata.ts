import type { Call, Reply } from "../../requests/call.ts";
import { NAME_ID } from "../../saml/name-id.ts";
import { certificateOf, loadSaml, requireSaml, serviceAddresses } from "../../saml/service-provider.ts";
import type { AuthService } from "../../service/auth-service.ts";

/** GET /sso/saml/metadata: this service provider's SAML metadata; `?download=true` returns it as a file. */
export async function describeServiceProvider({ query }: Call, { config }: AuthService): Promise<Reply> {
  const settings = requireSaml(config);
  const { entityId, acs } = serviceAddresses(config);
  const certificate = await certificateOf(settings, entityId);
  const { generateServiceProviderMetadata } = await loadSaml();
  const xml = generateServiceProviderMetadata({
    issuer: entityId,
    callbackUrl: acs,
    identifierFormat: NAME_ID.persistent,
    wantAssertionsSigned: true,
    privateKey: settings.privateKey,
    publicCerts: certificate,
    ...(settings.allowEncrypted && { decryptionPvk: settings.privateKey, decryptionCert: certificate }),
  });
  return {
    status: 200,
    text: xml,
    headers: {
      "content-type": "application/xml",
      "cache-control": "public, max-age=600",
      ...(query.get("download") === "true" && {
        "content-disposition": 'attachment; filename="metadata.xml"',
      }),
    },
  };
}
