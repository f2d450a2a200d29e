import type { JWK } from "jose";
import type { AuthOptions } from "#backend/auth/create-auth.ts";
import type { FunctionsOptions } from "#backend/functions/create-functions.ts";
import type { Log } from "#backend/log/log.ts";
import type { Crew } from "#backend/memory/crew.ts";
import type { DatabaseOptions } from "#backend/postgres/database.ts";
import type { RestConfig } from "#backend/rest/rest-config.ts";
import type { StorageOptions } from "#backend/storage/create-storage.ts";
import type { TokenVerifierOptions } from "#backend/tokens/token-verifier.ts";
import type { RealtimeSettings } from "./open-realtime.ts";

/** What the composed services are given: all that the site and the services alone differ in. */
export type BackendOptions = {
  /** A login that may take the roles `anon`, `authenticated` and `service_role`: the authenticator. */
  databaseUrl: string;
  /**
   * The same login past the pooler that `databaseUrl` leads to, which gives each transaction another connection: for what
   * needs one of its own. Without it nothing stands between.
   */
  directUrl?: string;
  /** A streaming replica for rest's reads without a token, by the same login, and how many milliseconds it may be behind. */
  replica?: { url: string; maxLag: number };
  /** Connections to the database at most. */
  databaseConnections?: number;
  /** The share of the connections that visitors without an account may use at a time. */
  guestShare?: number;
  /** Milliseconds a request waits for a connection. */
  acquireTimeout?: number;
  /** How else the connections are kept. */
  pool?: Pick<DatabaseOptions, "prepared" | "idleTime" | "lifetime" | "onLost">;
  /** Signs and checks tokens, and every other key is derived from it; auth and storage need one. */
  jwtSecret?: string | Uint8Array;
  /** Keys for access tokens, private parts included: the one whose `key_ops` has `sign` signs. Without one, `jwtSecret` does. */
  signingKeys?: readonly JWK[];
  /** What tokens that `jwtSecret` signs name as their key; nothing unless said otherwise. */
  jwtSecretId?: string;
  publishableKey?: string;
  secretKey?: string;
  /** How tokens are checked besides. */
  tokens?: Pick<TokenVerifierOptions, "jwks" | "audience" | "roleClaimPath" | "algorithms">;
  /** Requests without any key are refused, as the hosted gateway has it; true unless said otherwise. */
  requireApiKey?: boolean;
  schemas?: readonly string[];
  maxRows?: number | null;
  /** Origins that browsers may call from; null, the default, for all. */
  corsOrigins?: readonly string[] | null;
  /** The header in which a proxy names the client's address. */
  addressHeader?: string | null;
  /** Anything else of rest/v1; null for none. With an empty `basePath` it also answers whatever no other service does. */
  rest?: Partial<RestConfig> | null;
  /** auth/v1, on a login as `supabase_auth_admin`; without it there is none. With an empty `basePath` as rest. */
  auth?: Omit<AuthOptions, "crew" | "database" | "signer" | "verifier" | "requireApiKey" | "secret"> & {
    databaseUrl: string;
    /** Past a pooler, as that of the others. */
    directUrl?: string;
    /** Connections to it at most. */
    databaseConnections?: number;
    /**
     * Whether a token's `iss` is this service, or another process of it; `externalUrl` unless said otherwise. Every service
     * takes such tokens and the API keys, and no others; null takes those of other issuers too.
     */
    isIssuer?: ((issuer: string) => boolean) | null;
    /** Whether the database must be able to revoke sessions; true unless said otherwise. */
    requireRevocations?: boolean;
  };
  /** storage/v1; without it there is none. */
  storage?: Omit<StorageOptions, "crew" | "database" | "verifier" | "requireApiKey" | "secret">;
  /** functions/v1; without it there is none. */
  functions?: Omit<FunctionsOptions, "crew" | "verifier" | "log" | "addressHeader" | "corsOrigins">;
  /** Limits of realtime/v1, and where it logs failures; null for none. */
  realtime?: RealtimeSettings | null;
  /** A login that may replicate, for the feed of committed changes; without it `onChange` stays silent. */
  changeFeedUrl?: string;
  /** The publication whose tables are followed. */
  publication?: string;
  /** The processes that serve beside this one, and share its limits; none unless said otherwise. */
  crew?: Crew;
  /** Gets a line about what fails in the database and no caller can mend. */
  log?: Log;
};
