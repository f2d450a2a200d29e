import { createByteCache, sizeOfText } from "#backend/memory/byte-cache.ts";
import { type Database, DatabaseError } from "#backend/postgres/database.ts";
import type { Relation } from "../feed/change-feed.ts";
import type { ChangeRequest } from "../protocol/join-config.ts";
import { FilterError } from "./change-filter.ts";
import { type ChangeSpec, idOfRequest, readChangeSpec, refusal } from "./change-spec.ts";
import { settleCondition } from "./filter-matcher.ts";
import type { Subscription } from "./subscription-registry.ts";
import type { FactsReader } from "./table-facts.ts";

/** The valid subscriptions, and the error messages for the refused ones. */
export type Prepared = { subscriptions: Subscription[]; problems: string[] };

/** Rejects when the database does not answer. */
export type PrepareSubscriptions = (requests: ChangeRequest[], role: string) => Promise<Prepared>;

/** Many clients request the same subscription at almost the same time; they share one check. */
const REMEMBERED_MS = 5_000;
const MAX_BYTES = 4_000_000;
/** Estimated size of a subscription, as a multiple of its request's JSON. */
const SUBSCRIPTION_WEIGHT = 4;

/** Checks subscriptions against the publication, the table's columns and the role's privileges. */
export function createPrepareSubscriptions(
  database: Database,
  readFacts: FactsReader,
  publication: string,
): PrepareSubscriptions {
  const known = createByteCache<{ subscription: Promise<Subscription>; text: string }>({
    maxBytes: MAX_BYTES,
    lifetime: REMEMBERED_MS,
    sizeOf: ({ text }) => SUBSCRIPTION_WEIGHT * sizeOfText(text),
  });

  function prepare(request: ChangeRequest, role: string): Promise<Subscription> {
    const key = `${role} ${idOfRequest(request)}`;
    const remembered = known.get(key);
    if (remembered) return remembered.subscription;
    const subscription = toSubscription(request, role);
    known.set(key, { subscription, text: JSON.stringify(request) });
    subscription.catch(() => void known.delete(key));
    return subscription;
  }

  async function toSubscription(request: ChangeRequest, role: string): Promise<Subscription> {
    const spec = readChangeSpec(request);
    const relation = await findPublished(database, publication, spec);
    if (!relation)
      throw new FilterError(
        refusal(spec, "Please check Realtime is enabled for the given connect parameters"),
      );
    if (spec.schema === "*" || spec.table === "*") return { spec, conditions: [] };
    const facts = await readFacts(relation, [role]);
    const readable = facts?.readable.get(role);
    if (!facts || !readable || readable.size === 0)
      throw new FilterError(refusal(spec, `Role ${role} may not read the table`));
    const conditions = spec.conditions.map(async (condition) => {
      const column = facts.columns.find(({ name }) => name === condition.column);
      if (!column || !readable.has(column.name))
        throw new FilterError(refusal(spec, `invalid column for filter ${condition.column}`));
      return settleCondition(database, condition, column);
    });
    const unknown = spec.select?.find((name) => !readable.has(name));
    if (unknown !== undefined) throw new FilterError(refusal(spec, `invalid column for select ${unknown}`));
    return { spec, conditions: await Promise.all(conditions) };
  }

  return async (requests, role) => {
    const prepared: Prepared = { subscriptions: [], problems: [] };
    for (const request of requests) {
      await prepare(request, role).then(
        (subscription) => void prepared.subscriptions.push(subscription),
        (cause: unknown) => void prepared.problems.push(explain(cause)),
      );
    }
    return prepared;
  };
}

async function findPublished(
  database: Database,
  publication: string,
  { schema, table }: ChangeSpec,
): Promise<Relation | null> {
  const [row] = await database.query(
    `select c.oid, n.nspname as schema, c.relname as name
     from pg_publication_tables p
     join pg_namespace n on n.nspname = p.schemaname
     join pg_class c on c.relnamespace = n.oid and c.relname = p.tablename
     where p.pubname = $1::text and $2::text in ('*', p.schemaname) and $3::text in ('*', p.tablename)
     limit 1`,
    [publication, schema, table],
  );
  return row ? { oid: Number(row.oid), schema: row.schema ?? "", name: row.name ?? "" } : null;
}

/** Rethrows anything that is not the subscription's fault, such as an unavailable database. */
function explain(cause: unknown): string {
  if (cause instanceof FilterError) return cause.message;
  if (cause instanceof DatabaseError)
    return `Unable to subscribe to changes with given parameters. An exception happened so please check your connect parameters: ${cause.message}`;
  throw cause;
}
