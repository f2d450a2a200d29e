import type { JWK } from "jose";
import type { AuthOptions } from "#backend/auth/create-auth.ts";
import type { FunctionsOptions } from "#backend/functions/create-functions.ts";
import type { Log } from "#backend/log/log.ts";
import type { ProcessGroup } from "#backend/memory/process-group.ts";
import type { DatabaseOptions } from "#backend/postgres/database.ts";
import type { RestConfig } from "#backend/rest/rest-config.ts";
import type { StorageOptions } from "#backend/storage/create-storage.ts";
import type { TokenVerifierOptions } from "#backend/tokens/token-verifier.ts";
import type { RealtimeSettings } from "./open-realtime.ts";

/** Options of the composed backend: everything that differs between the site and the services on their own. */
export type BackendOptions = {
  /** A login that may switch to the roles `anon`, `authenticated` and `service_role`: the authenticator. */
  databaseUrl: string;
  /**
   * The same login bypassing the transaction pooler that `databaseUrl` points to, for work that needs a connection of
   * its own. Without it, `databaseUrl` is taken to be a direct connection.
   */
  directUrl?: string;
  /** A streaming replica for rest's reads without a token, same login, and the maximum lag in milliseconds. */
  replica?: { url: string; maxLag: number };
  /** Maximum number of database connections. */
  databaseConnections?: number;
  /** Share of the connections that requests without an account may use at a time. */
  guestShare?: number;
  /** Milliseconds a request waits for a free connection. */
  acquireTimeout?: number;
  /** Milliseconds after which a connection of the services that has not answered is closed; none by default. */
  answerTimeout?: number;
  /** Other options of the connection pool. */
  pool?: Pick<DatabaseOptions, "prepared" | "idleTime" | "lifetime" | "onLost">;
  /** Signs and verifies tokens, and all other keys are derived from it; auth and storage require it. */
  jwtSecret?: string | Uint8Array;
  /**
   * Access token keys, including private parts: the key whose `key_ops` contains `sign` signs. If none does,
   * `jwtSecret` signs.
   */
  signingKeys?: readonly JWK[];
  /** The `kid` of tokens signed with `jwtSecret`; none by default. */
  jwtSecretId?: string;
  publishableKey?: string;
  secretKey?: string;
  /** Further options for verifying tokens. */
  tokens?: Pick<TokenVerifierOptions, "secrets" | "jwks" | "audience" | "roleClaimPath" | "algorithms">;
  /** Refuse requests without an API key, like the hosted gateway, which lets storage do without; true by default. */
  requireApiKey?: boolean;
  schemas?: readonly string[];
  maxRows?: number | null;
  /** Allowed CORS origins; null, the default, allows all. */
  corsOrigins?: readonly string[] | null;
  /** The header in which a proxy passes the client's address. */
  addressHeader?: string | null;
  /**
   * Other settings of rest/v1; null disables it. With an empty `basePath` it also handles every path that no other
   * service does.
   */
  rest?: Partial<RestConfig> | null;
  /** auth/v1, with a login as `supabase_auth_admin`; disabled if not set. An empty `basePath` works as for rest. */
  auth?: Omit<
    AuthOptions,
    "processGroup" | "database" | "signer" | "verifier" | "requireApiKey" | "secret"
  > & {
    databaseUrl: string;
    /** The same login bypassing a pooler, like the other `directUrl`. */
    directUrl?: string;
    /** Maximum number of its database connections. */
    databaseConnections?: number;
    /**
     * Whether a token's `iss` is this service, or another process of it; by default it must equal `issuer`, or
     * `externalUrl` without one. All services accept only such tokens and the API keys; null also accepts tokens of
     * other issuers.
     */
    isIssuer?: ((issuer: string) => boolean) | null;
    /** Whether the database must support revoking sessions; true by default. */
    requireRevocations?: boolean;
  };
  /** storage/v1; disabled if not set. */
  storage?: Omit<StorageOptions, "processGroup" | "database" | "verifier" | "secret">;
  /** functions/v1; disabled if not set. */
  functions?: Omit<FunctionsOptions, "processGroup" | "verifier" | "log" | "addressHeader" | "corsOrigins">;
  /** Limits of realtime/v1, and its log for failures; null disables it. */
  realtime?: RealtimeSettings | null;
  /** A login with REPLICATION, for the feed of committed changes; without it `onChange` never fires. */
  changeFeedUrl?: string;
  /** The publication whose tables the change feed follows. */
  publication?: string;
  /** The sibling processes that share its limits; none by default. */
  processGroup?: ProcessGroup;
  /** Receives a line for each database failure that no caller can fix. */
  log?: Log;
};
