import { DOMParser } from "@xmldom/xmldom";

/**
 * The root of a document without a document type (so without entities), comments and processing instructions: none belongs
 * into SAML, and each has made two readers of one document see different texts.
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
/** Elements cost more time than bytes, deep ones above all; a person of two hundred groups has some five hundred. */
const MAX_TAGS = 4_000;

/** The root of a response (base64), which anybody may send. */
export function parseResponse(response: string, refuse: (why: string) => Error): Element {
  const xml = Buffer.from(response, "base64").toString("utf8");
  if (Buffer.byteLength(xml) > MAX_RESPONSE_BYTES || xml.split("<", MAX_TAGS + 2).length > MAX_TAGS) {
    throw refuse("it is too long");
  }
  return parseXml(xml, refuse);
}

const ASSERTION = "urn:oasis:names:tc:SAML:2.0:assertion";

/** Who a response says it is from, which nothing proves yet; "" where it does not say. */
export function issuerOf(response: string, refuse: (why: string) => Error): string {
  const root = parseResponse(response, refuse);
  const [own] = childrenOf(root, ASSERTION, "Issuer");
  const [assertion] = childrenOf(root, ASSERTION, "Assertion");
  const [issuer] = own ? [own] : assertion ? childrenOf(assertion, ASSERTION, "Issuer") : [];
  return issuer?.textContent?.trim() ?? "";
}
