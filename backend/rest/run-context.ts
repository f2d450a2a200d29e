import type { HttpRequest } from "#backend/http/http-message.ts";
import type { Database } from "#backend/postgres/database.ts";
import type { Identity } from "#backend/tokens/identity.ts";
import type { QueryPair } from "./request/query-string.ts";
import type { RestConfig } from "./rest-config.ts";
import type { SchemaCache } from "./schema-cache/types.ts";
import type { ServerTiming } from "./server-timing.ts";

/** Context in which a request is prepared and run. */
export type RunContext = {
  request: HttpRequest;
  path: string;
  /** The URL's pairs, still encoded. */
  query: readonly QueryPair[];
  identity: Identity;
  cache: SchemaCache;
  config: RestConfig;
  database: Database;
  timing: ServerTiming | null;
};
