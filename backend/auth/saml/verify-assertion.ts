import type { SAML } from "@node-saml/node-saml";
import type { AssertionClaims } from "./attributes.ts";
import { findEncrypted, openEncrypted } from "./encrypted-assertion.ts";
import { parseResponse } from "./safe-xml.ts";
import { CLOCK_SKEW, type ServiceAddresses } from "./service-provider.ts";

/** A verified assertion, and until when it could be replayed. */
export type Verified = { id: string; until: Date; sessionEnds: Date | null; statements: AssertionClaims };

/** Why a response is refused; safe for operators, since it contains no personal data. */
export class AssertionError extends Error {
  override name = "AssertionError";
}

const BEARER = "urn:oasis:names:tc:SAML:2.0:cm:bearer";

type Expected = ServiceAddresses & {
  issuer: string;
  /** The request that it answers; null if IdP-initiated. */
  requestId: string | null;
};

/** The library's configuration for the provider, with the key that decrypts its assertions. */
type Connect = (decryptionKey: string | undefined) => Promise<SAML>;

/**
 * Verifies an identity provider's response (base64), of which an assertion may be encrypted for one of `keys`. The library checks the signature (only against the keys in the
 * metadata), the audience and the conditions' times, and returns what is signed; the remaining checks of SAML 2.0
 * Profiles §4.1.4.3 are done here.
 * @throws AssertionError
 */
export async function verifyAssertion(
  { connect, keys }: { connect: Connect; keys: readonly string[] },
  response: string,
  expected: Expected,
): Promise<Verified> {
  const refuse = (why: string) => new AssertionError(why);
  const root = parseResponse(response, refuse);
  refuseWeakSignatures(root);
  const destination = root.getAttribute("Destination");
  if (destination && destination !== expected.acs) throw refuse("it is for another destination");
  const encrypted = findEncrypted(root, refuse);
  const opened = encrypted && (await openEncrypted(encrypted, keys));
  const saml = await connect(opened?.key);
  const { profile } = await readSigned(saml, response, opened?.assertion).catch((cause) => {
    const why = cause instanceof Error ? cause.message : "it can't be verified";
    throw refuse(encrypted && !AFTER_SIGNATURE.test(why) ? "it can't be decrypted and verified" : why);
  });
  const assertion = (profile?.getAssertion?.() as { Assertion?: Node } | undefined)?.Assertion;
  if (!assertion) throw refuse("it has no assertion");
  if (textOf(assertion.Issuer?.[0]) !== expected.issuer) throw refuse("it is of another issuer");
  if ((root.getAttribute("InResponseTo") || null) !== expected.requestId) {
    throw refuse("it answers another request");
  }
  const confirmedUntil = requireConfirmation(assertion, expected);
  const [conditions] = assertion.Conditions ?? [];
  const id = assertion.$?.ID;
  if (!id) throw refuse("it has no ID");
  const ends = [confirmedUntil, Date.parse(conditions?.$?.NotOnOrAfter ?? "")].filter(Number.isFinite);
  return {
    id,
    until: new Date(Math.max(...ends) + CLOCK_SKEW),
    sessionEnds: sessionEndOf(assertion),
    statements: readAssertionClaims(assertion),
  };
}

/**
 * The library's faults of what is signed. Others of an encrypted assertion are not told apart: whoever learns which
 * texts decrypt to XML can decrypt one that is not theirs, by changing it.
 */
const AFTER_SIGNATURE = /^SAML assertion /;

async function readSigned(saml: SAML, response: string, opened: Element | undefined) {
  if (opened) refuseWeakSignatures(opened);
  return saml.validatePostResponseAsync({ SAMLResponse: response });
}

/** An element in xml2js format, without prefixes: attributes in `$`, text in `_` or alone, children by name. */
type Node = { [child: string]: Node[] | undefined } & { $?: Record<string, string>; _?: string };

const textOf = (node: Node | string | undefined): string =>
  (typeof node === "string" ? node : (node?._ ?? "")).trim();

const SIGNATURES = "http://www.w3.org/2000/09/xmldsig#";

/** SHA-1 signatures and digests can be forged. (To encrypt a key with it is safe, and usual.) */
function refuseWeakSignatures(root: Element): void {
  const methods = Array.from(root.getElementsByTagNameNS(SIGNATURES, "Signature")).flatMap((signature) =>
    ["SignatureMethod", "DigestMethod"].flatMap((name) =>
      Array.from(signature.getElementsByTagNameNS("*", name)),
    ),
  );
  if (methods.some((method) => !/sha(256|384|512)$/.test(method.getAttribute("Algorithm") ?? ""))) {
    throw new AssertionError("it is signed by an algorithm that is not safe");
  }
}

/**
 * One of the bearer confirmations must be valid for this service, this request and the current time; resolves with its
 * end.
 */
function requireConfirmation(assertion: Node, { acs, requestId }: Expected): number {
  const now = Date.now();
  const confirmations = (assertion.Subject?.[0]?.SubjectConfirmation ?? [])
    .filter(({ $ }) => $?.Method === BEARER)
    .map((confirmation) => confirmation.SubjectConfirmationData?.[0]?.$ ?? {});
  const good = confirmations.find(
    ({ Recipient, InResponseTo, NotOnOrAfter, NotBefore }) =>
      Recipient === acs &&
      (InResponseTo ?? null) === requestId &&
      Date.parse(NotOnOrAfter ?? "") + CLOCK_SKEW > now &&
      !(Date.parse(NotBefore ?? "") - CLOCK_SKEW > now),
  );
  if (!good) throw new AssertionError("its subject is not confirmed for this service, this request and now");
  return Date.parse(good.NotOnOrAfter ?? "");
}

function sessionEndOf({ AuthnStatement: statements = [] }: Node): Date | null {
  const end = statements.map(({ $ }) => Date.parse($?.SessionNotOnOrAfter ?? "")).find(Number.isFinite);
  return end === undefined ? null : new Date(end);
}

function readAssertionClaims({
  Subject: subjects,
  AttributeStatement: statements = [],
}: Node): AssertionClaims {
  const attributes = new Map<string, string[]>();
  for (const { $, AttributeValue: values = [] } of statements.flatMap(({ Attribute = [] }) => Attribute)) {
    for (const name of new Set([$?.Name, $?.FriendlyName])) {
      if (name) attributes.set(name, [...(attributes.get(name) ?? []), ...values.map(textOf)]);
    }
  }
  const nameId = subjects?.[0]?.NameID?.[0];
  return { attributes, nameId: textOf(nameId), nameIdFormat: nameId?.$?.Format ?? "" };
}
