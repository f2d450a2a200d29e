import { createPrivateKey, createPublicKey } from "node:crypto";
import type { SAML } from "@node-saml/node-saml";
import { AuthError } from "../auth-error.ts";
import type { AuthConfig, SamlSettings } from "../service/auth-config.ts";
import { readMetadata } from "./metadata.ts";
import { NAME_ID } from "./name-id.ts";
import type { SamlProvider } from "./sso-provider.ts";

/** Allowed clock skew between two machines, in milliseconds. */
export const CLOCK_SKEW = 60_000;

/** This service's URLs for identity providers, under `/sso/saml`. */
export type ServiceAddresses = { entityId: string; acs: string };

/** @throws AuthError 404 if SAML is disabled */
export function requireSaml({ saml }: AuthConfig): SamlSettings {
  if (saml === null) throw new AuthError(404, "saml_provider_disabled", "SAML 2.0 is disabled");
  return saml;
}

export function serviceAddresses({ saml, externalUrl }: AuthConfig): ServiceAddresses {
  const base = `${saml?.externalUrl ?? externalUrl}/sso/saml`;
  return { entityId: `${base}/metadata`, acs: `${base}/acs` };
}

/**
 * Loaded on first use: with the certificate library it takes a fifth of the CPU time of a start, and few sites need it.
 */
export const loadSaml = () => import("@node-saml/node-saml");

async function loadCertificates() {
  // Must be loaded before the certificate library, which requires it.
  await import("reflect-metadata");
  return import("@peculiar/x509");
}

/**
 * The library's configuration for one identity provider: it signs requests, and checks signature, audience and time.
 */
export async function connectTo(
  provider: SamlProvider,
  config: AuthConfig,
  decryptionKey?: string,
): Promise<SAML> {
  const { privateKey } = requireSaml(config);
  const { entityId, acs } = serviceAddresses(config);
  const metadata = readMetadata(provider.metadataXml);
  const { SAML, ValidateInResponseTo } = await loadSaml();
  return new SAML({
    entryPoint: metadata.signOnUrl,
    idpCert: metadata.certificates,
    idpIssuer: metadata.entityId,
    issuer: entityId,
    audience: entityId,
    callbackUrl: acs,
    privateKey,
    signatureAlgorithm: "sha256",
    digestAlgorithm: "sha256",
    identifierFormat: provider.nameIdFormat ?? NAME_ID.persistent,
    disableRequestedAuthnContext: true,
    // Either the assertion or the whole response must be signed; the library uses nothing that no signature covers.
    wantAssertionsSigned: false,
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: CLOCK_SKEW,
    // Request ids are kept in the database, shared by all processes.
    validateInResponseTo: ValidateInResponseTo.never,
    ...(decryptionKey !== undefined && { decryptionPvk: decryptionKey }),
  });
}

/** The key that signs, and the other one while a key is replaced; providers may encrypt for either. */
export function serviceKeys({ privateKey, nextKey }: SamlSettings): string[] {
  return nextKey === null ? [privateKey] : [privateKey, nextKey];
}

const RSA = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };

/**
 * The certificate for the public key. Identity providers use only the key, and store the certificate, so it is
 * generated with fixed contents.
 */
export async function certificateOf(privateKey: string, entityId: string): Promise<string> {
  const key = createPrivateKey(privateKey);
  const importKey = (jwk: JsonWebKey, usage: "sign" | "verify") =>
    crypto.subtle.importKey("jwk", jwk, RSA, true, [usage]);
  const { KeyUsageFlags, KeyUsagesExtension, X509CertificateGenerator } = await loadCertificates();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: "01",
    name: [{ CN: [`SAML 2.0 Certificate for ${new URL(entityId).hostname}`] }],
    notBefore: new Date(0),
    notAfter: new Date(Date.UTC(2170, 0)),
    signingAlgorithm: RSA,
    keys: {
      privateKey: await importKey(key.export({ format: "jwk" }) as JsonWebKey, "sign"),
      publicKey: await importKey(createPublicKey(key).export({ format: "jwk" }) as JsonWebKey, "verify"),
    },
    extensions: [new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment)],
  });
  return certificate.toString("pem");
}
