import type { ProvidedPerson } from "./provider.ts";

type Claims = Readonly<Record<string, unknown>>;

const LONGEST_ID = 255;

/** Converts an id to a string, since some providers send numbers; empty if it is unusable. */
export function asText(value: unknown): string {
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  return text.length > LONGEST_ID ? "" : text;
}

/** Apple sends `"true"`. */
function isTrue(value: unknown): boolean {
  return value === true || value === "true";
}

type Address = { email: unknown; verified: unknown; primary?: unknown };

const LONGEST_ADDRESS = 255;
const ADDRESS = /^[^\s@<>"(),;:\\]+@[^\s@<>"(),;:\\]+\.[^\s@<>"(),;:\\]+$/;

const asStored = (email: unknown) => String(email).trim().toLowerCase();
const MOST_OTHERS = 10;

/** The account's address: the primary one, otherwise the first verified one, otherwise any. */
export function readEmails(
  addresses: readonly Address[],
): Pick<ProvidedPerson, "email" | "emailVerified" | "otherEmails"> {
  const usable = addresses.filter(
    ({ email }) => typeof email === "string" && email.length <= LONGEST_ADDRESS && ADDRESS.test(email.trim()),
  );
  const chosen =
    usable.find(({ primary }) => isTrue(primary)) ??
    usable.find(({ verified }) => isTrue(verified)) ??
    usable[0];
  if (!chosen) return { email: null, emailVerified: false, otherEmails: [] };
  const others = usable.filter((address) => address !== chosen && isTrue(address.verified));
  return {
    email: asStored(chosen.email),
    emailVerified: isTrue(chosen.verified),
    otherEmails: others.slice(0, MOST_OTHERS).map(({ email }) => asStored(email)),
  };
}

/**
 * Reads OpenID Connect claims by their standard names, unless `mapping` renames them (OpenID Connect Core 1.0, §5.1).
 */
export function readClaims(
  claims: Claims,
  mapping: Readonly<Record<string, string>>,
  keptClaims: readonly string[],
): ProvidedPerson {
  const read = (name: string) => {
    const mapped = mapping[name];
    return claims[typeof mapped === "string" ? mapped : name];
  };
  const name = read("name") ?? read("nickname") ?? read("preferred_username");
  const kept = keptClaims.filter((claim) => claims[claim] !== undefined);
  return {
    subject: asText(read("sub")),
    ...readEmails([{ email: read("email"), verified: read("email_verified") }]),
    profile: {
      iss: claims.iss,
      name,
      full_name: name,
      preferred_username: read("preferred_username"),
      picture: read("picture"),
      avatar_url: read("picture"),
      ...(kept.length > 0 && { custom_claims: Object.fromEntries(kept.map((key) => [key, claims[key]])) }),
    },
  };
}
