import * as v from "valibot";
import { NAME_ID } from "./name-id.ts";

/** Maps an assertion's attributes to claims; the first one present is used. */
export type AttributeMapping = v.InferOutput<typeof AttributeMapping>;
export const AttributeMapping = v.object({
  keys: v.optional(
    v.record(
      v.string(),
      v.object({
        name: v.optional(v.string()),
        names: v.optional(v.array(v.string())),
        default: v.optional(v.unknown()),
        array: v.optional(v.boolean()),
      }),
    ),
  ),
});

/** An assertion's statements about a user; attributes are keyed by name and by friendly name. */
export type AssertionClaims = {
  attributes: ReadonlyMap<string, string[]>;
  nameId: string;
  nameIdFormat: string;
};

const SUBJECT_ID = "urn:oasis:names:tc:SAML:attribute:subject-id";
const EMAILS = [
  "urn:oid:0.9.2342.19200300.100.1.3",
  "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress",
  "http://schemas.xmlsoap.org/claims/EmailAddress",
  "mail",
  "Mail",
  "email",
];

/** The user's persistent id at the identity provider; "" if there is none. */
export function subjectOf({ attributes, nameId, nameIdFormat }: AssertionClaims): string {
  const [subjectId] = attributes.get(SUBJECT_ID) ?? [];
  if (subjectId) return subjectId;
  if (nameIdFormat === NAME_ID.transient) return "";
  return nameIdFormat === NAME_ID.email ? nameId.trim().toLowerCase() : nameId;
}

export function emailOf({ attributes, nameId, nameIdFormat }: AssertionClaims): string {
  const values = EMAILS.flatMap((name) => attributes.get(name) ?? []);
  return values.find(Boolean) ?? (nameIdFormat === NAME_ID.email ? nameId : "");
}

export function mapAttributes(
  { attributes }: AssertionClaims,
  { keys = {} }: AttributeMapping,
): Record<string, unknown> {
  const mapped = Object.entries(keys).map(([key, { name, names = [], default: preset, array }]) => {
    const all = [...(name ? [name] : []), ...names].map((one) => attributes.get(one) ?? []);
    const values = all.find((found) => found.some(Boolean))?.filter(Boolean) ?? [];
    return [key, values.length === 0 ? preset : array ? values : values[0]];
  });
  return Object.fromEntries(mapped.filter(([, value]) => value !== undefined && value !== null));
}
