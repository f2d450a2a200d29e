/** A sign-in provider as configured by the operator (`GOTRUE_EXTERNAL_<NAME>_…`). */
export type ProviderSettings = {
  /** The name used by clients: `discord`, or `custom:roblox` for a provider the hosted service does not know. */
  id: string;
  /** The label of the sign-in button. */
  name: string;
  /** The first one is used for sign-ins; ID tokens issued to the others are accepted as well. */
  clientIds: readonly [string, ...string[]];
  secret: string;
  /** The redirect URI for the provider; null for this service's own `/callback`. */
  redirectUri: string | null;
  /** The issuer of an OpenID Connect provider; for others, a host that replaces the usual one. */
  url: string | null;
  /** Accept ID tokens without checking their nonce. */
  skipNonceCheck: boolean;
  /** Create accounts for users without a verified email address, too. */
  emailOptional: boolean;
};

/** A user, as described by a provider. */
export type ProvidedPerson = {
  /** The user's stable id at the provider. */
  subject: string;
  /** In lower case; null if the provider returns none. */
  email: string | null;
  emailVerified: boolean;
  /** Further addresses that the provider verified, in lower case; only some providers return any. */
  otherEmails: readonly string[];
  /** Other data that the hosted service keeps: names and pictures, under its own names. */
  profile: Record<string, unknown>;
};

/** Fetches JSON from a URL with the access token of the user who has just signed in. */
export type ReadAsPerson = (address: string, headers?: Record<string, string>) => Promise<unknown>;

/** A provider's protocol and endpoints. */
export type Provider = ProviderSettings & {
  scopes: readonly string[];
  /** Extra parameters of the authorization request. */
  params: Readonly<Record<string, string>>;
  pkce: boolean;
  /** Whether it may be on the operator's own network; only if the machine's operator configured it. */
  isTrusted: boolean;
  /** Claims stored unchanged under `custom_claims`. */
  keptClaims: readonly string[];
} & (
    | {
        protocol: "oidc";
        issuer: string;
        /** URL of the discovery document, if not the standard one. */
        discoveryUrl: string | null;
        /** The provider's names for the claims we read, if not the standard ones. */
        mapping: Readonly<Record<string, string>>;
      }
    | {
        protocol: "oauth2";
        authorizationUrl: string;
        tokenUrl: string;
        readPerson(read: ReadAsPerson): Promise<ProvidedPerson>;
      }
  );
