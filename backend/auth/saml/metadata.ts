import { X509Certificate } from "node:crypto";
import { validationFailed } from "../auth-error.ts";
import { childrenOf, parseXml } from "./safe-xml.ts";

const METADATA = "urn:oasis:names:tc:SAML:2.0:metadata";
const SIGNATURE = "http://www.w3.org/2000/09/xmldsig#";
const REDIRECT = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect";
const MAX_BYTES = 500_000;

/** An identity provider's metadata: its id, sign-in URL and signing certificates (PEM). */
export type Metadata = {
  entityId: string;
  signOnUrl: string;
  certificates: string[];
  validUntil: Date | null;
};

/** @throws AuthError 400 describing why this is not the metadata of one identity provider */
export function readMetadata(xml: string): Metadata {
  if (Buffer.byteLength(xml) > MAX_BYTES) throw validationFailed("SAML Metadata is too long");
  const root = parseXml(xml, (why) => validationFailed(`SAML Metadata is not valid: ${why}`));
  if (root.localName !== "EntityDescriptor" || root.namespaceURI !== METADATA) {
    throw validationFailed("SAML Metadata does not describe one entity");
  }
  const entityId = root.getAttribute("entityID") ?? "";
  if (entityId === "") throw validationFailed("SAML Metadata does not contain an EntityID");
  const roles = childrenOf(root, METADATA, "IDPSSODescriptor");
  if (roles.length > 1) throw validationFailed("SAML Metadata contains multiple IDPSSODescriptors");
  const [role] = roles;
  if (!role) throw validationFailed("SAML Metadata does not contain any IDPSSODescriptor");
  const until = root.getAttribute("validUntil");
  return {
    entityId,
    signOnUrl: readSignOnUrl(role),
    certificates: readCertificates(role),
    validUntil: until ? new Date(until) : null,
  };
}

function readSignOnUrl(role: Element): string {
  const service = childrenOf(role, METADATA, "SingleSignOnService").find(
    (one) => one.getAttribute("Binding") === REDIRECT,
  );
  const address = service?.getAttribute("Location") ?? "";
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw validationFailed("SAML Metadata names no address for sign-ins by redirect");
  }
  return address;
}

function readCertificates(role: Element): string[] {
  const keys = childrenOf(role, METADATA, "KeyDescriptor").filter(
    (key) => (key.getAttribute("use") || "signing") === "signing",
  );
  const texts = keys
    .flatMap((key) => childrenOf(key, SIGNATURE, "KeyInfo"))
    .flatMap((info) => childrenOf(info, SIGNATURE, "X509Data"))
    .flatMap((data) => childrenOf(data, SIGNATURE, "X509Certificate"))
    .map((certificate) => certificate.textContent ?? "");
  if (texts.length === 0) throw validationFailed("SAML Metadata contains no certificate that signs");
  return texts.map((text) => {
    try {
      return new X509Certificate(Buffer.from(text, "base64")).toString();
    } catch {
      throw validationFailed("SAML Metadata contains a certificate that can't be read");
    }
  });
}
