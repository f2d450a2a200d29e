import { DOMParser } from "@xmldom/xmldom";

/**
 * Parses a document without a document type (and so without entities), comments and processing instructions. None of
 * them belongs in SAML, and each has been used to make two parsers read one document differently.
 */
export function parseXml(xml: string, refuse: (why: string) => Error): Element {
  if (/<!(?!\[CDATA\[)|<\?(?!xml\s)/i.test(xml)) {
    throw refuse("document types, comments and processing instructions are not allowed");
  }
  const fail = (message: string) => {
    throw refuse(`it is no XML, ${message.split("\n", 1)[0]}`);
  };
  const errorHandler = { warning: fail, error: fail, fatalError: fail };
  const root = new DOMParser({ errorHandler }).parseFromString(xml, "text/xml")?.documentElement;
  if (!root) throw refuse("it is no XML");
  return root;
}

export function childrenOf(parent: Element, namespace: string, name: string): Element[] {
  return Array.from(
    { length: parent.childNodes.length },
    (_, index) => parent.childNodes[index] as Element,
  ).filter((child) => child.nodeType === 1 && child.localName === name && child.namespaceURI === namespace);
}

const MAX_RESPONSE_BYTES = 100_000;
/**
 * Elements cost more time than bytes, especially deeply nested ones; a user in two hundred groups has about five
 * hundred.
 */
const MAX_TAGS = 4_000;

/** The root of a response (base64), which is untrusted input. */
export function parseResponse(response: string, refuse: (why: string) => Error): Element {
  const xml = Buffer.from(response, "base64").toString("utf8");
  if (Buffer.byteLength(xml) > MAX_RESPONSE_BYTES || xml.split("<", MAX_TAGS + 2).length > MAX_TAGS) {
    throw refuse("it is too long");
  }
  return parseXml(xml, refuse);
}

const ASSERTION = "urn:oasis:names:tc:SAML:2.0:assertion";

/** The issuer a response claims, not verified yet; "" if there is none. */
export function issuerOf(response: string, refuse: (why: string) => Error): string {
  const root = parseResponse(response, refuse);
  const [own] = childrenOf(root, ASSERTION, "Issuer");
  const [assertion] = childrenOf(root, ASSERTION, "Assertion");
  const [issuer] = own ? [own] : assertion ? childrenOf(assertion, ASSERTION, "Issuer") : [];
  return issuer?.textContent?.trim() ?? "";
}
