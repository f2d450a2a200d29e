import type { HttpRequest } from "#backend/http/http-message.ts";
import type { Database } from "#backend/postgres/database.ts";
import type { Identity } from "#backend/tokens/identity.ts";
import type { ServerTiming } from "../response/server-timing.ts";
import type { RestConfig } from "../rest-config.ts";
import type { SchemaCache } from "../schema-cache/types.ts";

/** Context in which a prepared request runs. */
export type RunContext = {
  request: HttpRequest;
  path: string;
  identity: Identity;
  cache: SchemaCache;
  config: RestConfig;
  database: Database;
  timing: ServerTiming | null;
};
