// Must load before the certificate library, which needs it.
import "reflect-metadata";
import { generateKeyPairSync } from "node:crypto";
import { X509CertificateGenerator } from "@peculiar/x509";
import { Constants, IdentityProvider, SamlLib, ServiceProvider, setSchemaValidator } from "samlify";

// It parses only this service's own messages, so schema validation is not needed.
setSchemaValidator({ validate: async () => "" });

/** How the next response deviates from a correct one; `changes` replaces text in the template. */
export type Misconduct = {
  requestId?: string;
  algorithm?: string;
  changes?: Record<string, string>;
};

const RSA = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
const REDIRECT = Constants.namespace.binding.redirect;

/** A SAML identity provider with one user, `mail`, that knows the service provider's metadata. */
export async function createIdentityProvider(
  entityID: string,
  serviceMetadata: string,
  { encrypts = false } = {},
) {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const sign = (jwk: unknown, usage: KeyUsage) =>
    crypto.subtle.importKey("jwk", jwk as JsonWebKey, RSA, true, [usage]);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    keys: {
      privateKey: await sign(privateKey.export({ format: "jwk" }), "sign"),
      publicKey: await sign(publicKey.export({ format: "jwk" }), "verify"),
    },
    signingAlgorithm: RSA,
  });
  const make = (algorithm: string) =>
    IdentityProvider({
      entityID,
      signingCert: certificate.toString("pem"),
      privateKey: privateKey.export({ format: "pem", type: "pkcs1" }).toString(),
      requestSignatureAlgorithm: algorithm,
      wantAuthnRequestsSigned: true,
      isAssertionEncrypted: encrypts,
      nameIDFormat: [Constants.namespace.format.persistent],
      singleSignOnService: [{ Binding: REDIRECT, Location: `${entityID}/sign-on` }],
      loginResponseTemplate: {
        context: SamlLib.defaultLoginResponseTemplate.context,
        attributes: [
          { name: "mail", valueTag: "mail", nameFormat: "x", valueXsiType: "xs:string" },
          { name: "team", valueTag: "team", nameFormat: "x", valueXsiType: "xs:string" },
        ],
      },
    });
  const idp = make(Constants.algorithms.signature.RSA_SHA256);
  const service = ServiceProvider({ metadata: serviceMetadata });
  const acs = String(service.entityMeta.getAssertionConsumerService("post"));
  const audience = service.entityMeta.getEntityID();

  return {
    metadata: idp.getMetadata() as string,
    /** The id of a request, after verifying its signature. */
    async readRequest(address: string): Promise<string> {
      const url = new URL(address);
      const query = Object.fromEntries(url.searchParams);
      const octetString = url.search.slice(1).split("&Signature=")[0] as string;
      const { extract } = await idp.parseLoginRequest(service, "redirect", { query, octetString });
      return String(extract.request?.id);
    },
    /** A signed response, base64-encoded. */
    async respond(mail: string, { requestId, algorithm, changes }: Misconduct = {}): Promise<string> {
      const now = Date.now();
      const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString();
      const values: Record<string, string> = {
        ID: `_${crypto.randomUUID()}`,
        AssertionID: `_${crypto.randomUUID()}`,
        Destination: acs,
        Audience: audience,
        EntityID: audience,
        SubjectRecipient: acs,
        Issuer: entityID,
        IssueInstant: at(0),
        AssertionConsumerServiceURL: acs,
        StatusCode: Constants.StatusCode.Success,
        ConditionsNotBefore: at(-1),
        ConditionsNotOnOrAfter: at(5),
        SubjectConfirmationDataNotOnOrAfter: at(5),
        NameIDFormat: Constants.namespace.format.persistent,
        NameID: `id of ${mail}`,
        InResponseTo: requestId ?? "",
        AuthnStatement: "",
        attrMail: mail,
        attrTeam: "Harbor",
        ...changes,
      };
      const from = algorithm ? make(algorithm) : idp;
      const { context } = await from.createLoginResponse(
        service,
        { extract: {} },
        "post",
        {},
        (template: string) => {
          const whole = template.replace("{AuthnStatement}", values.AuthnStatement as string);
          const filled = SamlLib.replaceTagsByValue(whole, values);
          // An IdP-initiated response has no InResponseTo.
          return { id: values.ID as string, context: filled.replaceAll(' InResponseTo=""', "") };
        },
      );
      return context;
    },
  };
}
