/** A service through which people sign in, as the operator configured it (`GOTRUE_EXTERNAL_<NAME>_…`). */
export type ProviderSettings = {
  /** As clients name it: `discord`, or `custom:roblox` for one that the hosted service does not know by name. */
  id: string;
  /** What people read on a button. */
  name: string;
  /** The first one signs people in; ID tokens that were issued to the others are accepted too. */
  clientIds: readonly [string, ...string[]];
  secret: string;
  /** Where the provider sends people back to; null for this service's own `/callback`. */
  redirectUri: string | null;
  /** The issuer of a provider that speaks OpenID Connect, and elsewhere another host than the usual one. */
  url: string | null;
  /** ID tokens need not carry the nonce that their sender knows. */
  skipNonceCheck: boolean;
  /** People without a verified email address get an account as well. */
  emailOptional: boolean;
};

/** Somebody, as a provider describes them. */
export type ProvidedPerson = {
  /** Who it is there, whatever else changes. */
  subject: string;
  /** In lower case; null where the provider tells none. */
  email: string | null;
  emailVerified: boolean;
  /** What else the hosted service keeps: names and pictures, under its own names. */
  profile: Record<string, unknown>;
};

/** Reads what an address answers with as JSON, on behalf of the person who has just signed in. */
export type ReadAsPerson = (address: string, headers?: Record<string, string>) => Promise<unknown>;

/** How a provider is spoken to. */
export type Provider = ProviderSettings & {
  scopes: readonly string[];
  /** Added to the authorization request. */
  params: Readonly<Record<string, string>>;
  pkce: boolean;
  /** Whether it may be on the operator's own network: only where the operator of the machine named it. */
  isTrusted: boolean;
  /** Claims that are kept as they come, under `custom_claims`. */
  keptClaims: readonly string[];
} & (
    | {
        protocol: "oidc";
        issuer: string;
        /** Where its description is, if not where the standard has it. */
        discoveryUrl: string | null;
        /** What it calls the claims that we read, where it has names of its own. */
        mapping: Readonly<Record<string, string>>;
      }
    | {
        protocol: "oauth2";
        authorizationUrl: string;
        tokenUrl: string;
        readPerson(read: ReadAsPerson): Promise<ProvidedPerson>;
      }
  );
