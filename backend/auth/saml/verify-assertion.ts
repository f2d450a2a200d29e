import type { SAML } from "@node-saml/node-saml";
import type { Said } from "./attributes.ts";
import { parseResponse } from "./safe-xml.ts";
import { CLOCK_SKEW, type ServiceAddresses } from "./service-provider.ts";

/** What a verified assertion says, and until when it could be shown again. */
export type Verified = { id: string; until: Date; sessionEnds: Date | null; said: Said };

/** Why a response is refused; for operators, since it says nothing of persons. */
export class AssertionError extends Error {
  override name = "AssertionError";
}

const BEARER = "urn:oasis:names:tc:SAML:2.0:cm:bearer";

type Expected = ServiceAddresses & {
  issuer: string;
  /** The request that it answers; null for one that nobody here asked for. */
  requestId: string | null;
};

/**
 * Verifies a response (base64) of an identity provider. The library checks the signature, against its metadata's keys only,
 * the audience and the conditions' times, and hands out what is signed; the rest of SAML 2.0 Profiles §4.1.4.3 is checked here.
 * @throws AssertionError
 */
export async function verifyAssertion(saml: SAML, response: string, expected: Expected): Promise<Verified> {
  const refuse = (why: string) => new AssertionError(why);
  const root = parseResponse(response, refuse);
  refuseWeakAlgorithms(root);
  const destination = root.getAttribute("Destination");
  if (destination && destination !== expected.acs) throw refuse("it is for another destination");
  const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: response }).catch((cause) => {
    throw refuse(cause instanceof Error ? cause.message : "it can't be verified");
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
    said: readSaid(assertion),
  };
}

/** As xml2js writes elements without their prefixes: attributes in `$`, text in `_` or alone, children by name. */
type Node = { [child: string]: Node[] | undefined } & { $?: Record<string, string>; _?: string };

const textOf = (node: Node | string | undefined): string =>
  (typeof node === "string" ? node : (node?._ ?? "")).trim();

/** Signatures and digests by SHA-1 can be forged by now. */
function refuseWeakAlgorithms(root: Element): void {
  for (const name of ["SignatureMethod", "DigestMethod"]) {
    const used = Array.from(root.getElementsByTagNameNS("*", name));
    if (used.some((method) => !/sha(256|384|512)$/.test(method.getAttribute("Algorithm") ?? ""))) {
      throw new AssertionError("it is signed by an algorithm that is not safe");
    }
  }
}

/** Of the bearer confirmations one must be for this service, this request and this minute; resolves with its end. */
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

function readSaid({ Subject: subjects, AttributeStatement: statements = [] }: Node): Said {
  const attributes = new Map<string, string[]>();
  for (const { $, AttributeValue: values = [] } of statements.flatMap(({ Attribute = [] }) => Attribute)) {
    for (const name of new Set([$?.Name, $?.FriendlyName])) {
      if (name) attributes.set(name, [...(attributes.get(name) ?? []), ...values.map(textOf)]);
    }
  }
  const nameId = subjects?.[0]?.NameID?.[0];
  return { attributes, nameId: textOf(nameId), nameIdFormat: nameId?.$?.Format ?? "" };
}
