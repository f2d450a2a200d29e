import { type Database, DatabaseError } from "#backend/postgres/database.ts";
import type { Relation } from "../change-feed.ts";
import type { ChangeRequest } from "../join-config.ts";
import { FilterError } from "./change-filter.ts";
import { type ChangeSpec, idOfRequest, readChangeSpec, refusal } from "./change-spec.ts";
import type { Wish } from "./change-subscriptions.ts";
import { settleCondition } from "./filter-matcher.ts";
import type { FactsReader } from "./table-facts.ts";

/** The wishes that can be met, and for the others why not. */
export type Prepared = { wishes: Wish[]; problems: string[] };

/** Rejects when the database cannot be asked. */
export type PrepareWishes = (requests: ChangeRequest[], role: string) => Promise<Prepared>;

/** Many people wish for the same within moments: what was found out for one holds for the others. */
const REMEMBERED_MS = 5_000;
const MOST_REMEMBERED = 1_000;

/** Holds wishes against the publication, the table's columns and what the role may read. */
export function createPrepareWishes(
  database: Database,
  readFacts: FactsReader,
  publication: string,
): PrepareWishes {
  const known = new Map<string, { at: number; wish: Promise<Wish> }>();

  function prepare(request: ChangeRequest, role: string): Promise<Wish> {
    const key = `${role} ${idOfRequest(request)}`;
    const remembered = known.get(key);
    if (remembered && Date.now() - remembered.at < REMEMBERED_MS) return remembered.wish;
    const wish = toWish(request, role);
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(key, { at: Date.now(), wish });
    wish.catch(() => known.delete(key));
    return wish;
  }

  async function toWish(request: ChangeRequest, role: string): Promise<Wish> {
    const spec = readChangeSpec(request);
    const [relation] = await findPublished(database, publication, spec);
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
    const prepared: Prepared = { wishes: [], problems: [] };
    for (const request of requests) {
      await prepare(request, role).then(
        (wish) => void prepared.wishes.push(wish),
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
): Promise<Relation[]> {
  const rows = await database.query(
    `select c.oid, n.nspname as schema, c.relname as name
     from pg_publication_tables p
     join pg_namespace n on n.nspname = p.schemaname
     join pg_class c on c.relnamespace = n.oid and c.relname = p.tablename
     where p.pubname = $1::text and $2::text in ('*', p.schemaname) and $3::text in ('*', p.tablename)
     limit 1`,
    [publication, schema, table],
  );
  return rows.map((row) => ({ oid: Number(row.oid), schema: row.schema ?? "", name: row.name ?? "" }));
}

/** Rethrows what says nothing about the wish, but that nobody could be asked. */
function explain(cause: unknown): string {
  if (cause instanceof FilterError) return cause.message;
  if (cause instanceof DatabaseError)
    return `Unable to subscribe to changes with given parameters. An exception happened so please check your connect parameters: ${cause.message}`;
  throw cause;
}
