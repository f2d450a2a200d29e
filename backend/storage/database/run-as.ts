import { fromHeaderText } from "#backend/http/header-text.ts";
import type { HttpRequest } from "#backend/http/http-message.ts";
import { splitAddress } from "#backend/http/split-address.ts";
import type { Database, Row, Step } from "#backend/postgres/database.ts";
import { type Identity, toIdentity } from "#backend/tokens/identity.ts";
import { toStorageError } from "./database-errors.ts";

/** The caller's identity and request; policies can read both. */
export type Actor = { identity: Identity; request: HttpRequest };

/**
 * `byIndex`: the plan must read the few rows in index order rather than read and sort them all. It is then the same for
 * all parameters, and made once: PostgreSQL expects less of plans for certain parameters, and would make one each time.
 */
export type Statement = { text: string; values: (string | null)[]; byIndex?: boolean };

const SERVICE = toIdentity("service_role", { role: "service_role" });

const OF_ITSELF = { request: { method: "DELETE", url: "/", headers: {}, body: null } };

/**
 * The service itself, which bypasses all policies: only for reads and writes that the caller is already allowed to
 * make, and for the service's own maintenance.
 */
export function asService({ request }: Pick<Actor, "request"> = OF_ITSELF): Actor {
  return { identity: SERVICE, request };
}

/**
 * Runs one statement as the actor's role in its own transaction, in one round trip. With `undo` it is rolled back.
 * @throws StorageError for any database error a client can understand
 */
export async function runAs(
  database: Database,
  actor: Actor,
  { text, values, byIndex = false }: Statement,
  options: { undo?: boolean } = {},
): Promise<Row[]> {
  try {
    const main = { text, values, planFor: actor.identity.role };
    return await database.batch([settings(actor, byIndex), main], options);
  } catch (cause) {
    throw toStorageError(cause);
  }
}

/**
 * Runs several statements in one transaction, in one round trip; returns the rows of each. A statement sees what others
 * committed while the one before it waited for a lock.
 * @throws StorageError for any database error a client can understand
 */
export async function runEachAs(
  database: Database,
  actor: Actor,
  statements: Pick<Statement, "text" | "values">[],
): Promise<Row[][]> {
  try {
    const steps = statements.map((statement) => ({ ...statement, planFor: actor.identity.role }));
    return (await database.run([settings(actor, false), ...steps])).slice(1);
  } catch (cause) {
    throw toStorageError(cause);
  }
}

const BE_SERVICE: Step = { text: "select set_config('role', 'service_role', true)", values: [] };

/**
 * Reads publicly visible rows as the service: no policy depends on the caller, so no request settings are sent. Table
 * names must be schema-qualified.
 * @throws StorageError for any database error a client can understand
 */
export async function readAsService(
  database: Database,
  { text, values }: Pick<Statement, "text" | "values">,
): Promise<Row[]> {
  try {
    return await database.batch([BE_SERVICE, { text, values, planFor: SERVICE.role }]);
  } catch (cause) {
    throw toStorageError(cause);
  }
}

// Deleting a row by plain SQL would leave its file behind, so a trigger requires `storage.allow_delete_query`. JIT is
// off because compiling takes longer than any of these statements runs, and a list that steps through a large index
// looks expensive enough to trigger it.
const SETTINGS = `select set_config('search_path', 'storage, public, extensions', true),
  set_config('role', $1, true), set_config('request.jwt.claims', $2, true),
  set_config('request.jwt.claim.sub', $3, true), set_config('request.jwt.claim.role', $1, true),
  set_config('request.method', $4, true), set_config('request.path', $5, true),
  set_config('request.headers', $6, true), set_config('storage.allow_delete_query', 'true', true), set_config('jit', 'off', true),
  set_config('enable_sort', $7, true), set_config('enable_incremental_sort', $7, true),
  set_config('plan_cache_mode', case $7 when 'off' then 'force_generic_plan' else 'auto' end, true)`;

function settings({ identity, request }: Actor, byIndex: boolean): Step {
  const { cookie: _cookie, ...headers } = request.headers;
  const values = [
    identity.role,
    identity.claimsText,
    ownerOf(identity) ?? "",
    request.method,
    splitAddress(request.url).path,
    fromHeaderText(JSON.stringify(headers)).replaceAll("\\u0000", ""),
    byIndex ? "off" : "on",
  ];
  return { text: SETTINGS, values };
}

/** The owner of objects this identity uploads; null for anonymous visitors and servers. */
export function ownerOf({ claims }: Identity): string | null {
  return typeof claims.sub === "string" && claims.sub !== "" ? claims.sub : null;
}
