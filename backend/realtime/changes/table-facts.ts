import { createByteCache } from "#backend/memory/byte-cache.ts";
import { type Database, DatabaseError } from "#backend/postgres/database.ts";
import { quoteIdentifier } from "#backend/postgres/quote.ts";
import type { Relation } from "../feed/change-feed.ts";

export type Column = {
  name: string;
  /** As clients know it: `int4`, `_text`. */
  type: string;
  /** As SQL names it: `integer`, `text[]`. */
  sqlType: string;
  isKey: boolean;
};

/** Metadata that determines who may see which rows and columns of a table. */
export type TableFacts = {
  columns: Column[];
  keys: Column[];
  hasRls: boolean;
  /** Whether its policies may depend on the user; otherwise one check per role suffices. */
  isPersonal: boolean;
  /** Columns each role may read; roles that do not exist are missing. */
  readable: Map<string, Set<string>>;
  /** Roles to which row-level security shows every row: they bypass it, or a policy says `true`. */
  unbound: Set<string>;
};

/** How long facts are cached: after this, revoked privileges no longer count, however they were revoked. */
const FRESH_MS = 2_000;
/** From this age on, facts are refreshed in the background, so that changes to a busy table need not wait. */
const RENEW_MS = 1_000;

const FACTS = `
  select jsonb_build_object(
    'hasRls', c.relrowsecurity,
    'condition', (
      select string_agg(format('(%s)', pg_get_expr(p.polqual, p.polrelid)), ' and ' order by p.oid)
      from pg_policy p where p.polrelid = c.oid and p.polcmd in ('r', '*')
    ),
    'usesOthers', exists (
      select from pg_policy p join pg_depend d on d.classid = 'pg_policy'::regclass and d.objid = p.oid
      where p.polrelid = c.oid and p.polcmd in ('r', '*')
        and (d.refclassid <> 'pg_class'::regclass or d.refobjid <> c.oid)
    ),
    'columns', (
      select jsonb_agg(jsonb_build_object(
        'name', a.attname, 'type', t.typname, 'sqlType', format_type(a.atttypid, null),
        'isKey', coalesce(a.attnum = any(k.conkey), false),
        'readers', (
          select jsonb_agg(r.rolname) from pg_roles r
          where r.rolname = any(wanted.roles) and has_column_privilege(r.oid, c.oid, a.attnum, 'select')
        )
      ) order by a.attnum)
      from pg_attribute a join pg_type t on t.oid = a.atttypid
      left join pg_constraint k on k.conrelid = c.oid and k.contype = 'p'
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    ),
    'roles', (
      select jsonb_agg(jsonb_build_object('name', r.rolname, 'unbound', r.rolbypassrls or r.rolsuper or coalesce((
        select bool_and(p.polpermissive) and bool_or(pg_get_expr(p.polqual, p.polrelid) = 'true')
        from pg_policy p
        where p.polrelid = c.oid and p.polcmd in ('r', '*') and exists (
          select from unnest(p.polroles) as reader
          where case when reader = 0 then true else pg_has_role(r.oid, reader, 'usage') end
        )
      ), false)))
      from pg_roles r where r.rolname = any(wanted.roles)
    )
  ) as facts
  from pg_class c, (select array(select jsonb_array_elements_text($2::jsonb)) as roles) wanted
  where c.oid = $1::oid`;

type Policies = {
  /** All USING conditions joined by AND; null if there are none. */
  condition: string | null;
  /** Whether they reference anything but PostgreSQL built-ins and the table itself: a function, or another table. */
  usesOthers: boolean;
};

type Answer = Policies & {
  hasRls: boolean;
  columns: (Column & { readers: string[] | null })[] | null;
  roles: { name: string; unbound: boolean }[] | null;
};

/** `at` is from `performance.now()`: if the system clock were set back, revoked privileges would count for longer. */
type Known = { at: number; roles: Set<string>; facts: Promise<TableFacts | null>; isBeingRenewed: boolean };

export type FactsReader = (relation: Relation, roles: string[]) => Promise<TableFacts | null>;

/** Reads a table's facts for these roles; null if the table no longer exists. */
export function createFactsReader(database: Database): FactsReader {
  const known = new WeakMap<Relation, Known>();
  const isPersonal = createIsPersonal(database);

  function ask(relation: Relation, roles: Set<string>): Known {
    return {
      at: performance.now(),
      roles,
      facts: readFacts({ database, isPersonal }, relation, [...roles]),
      isBeingRenewed: false,
    };
  }

  /** The old facts are used until the new ones arrive or the old ones expire. */
  function renew(relation: Relation, old: Known): void {
    old.isBeingRenewed = true;
    const next = ask(relation, old.roles);
    const replace = () => known.get(relation) === old && known.set(relation, next);
    next.facts.then(replace, () => {});
  }

  return (relation, roles) => {
    const remembered = known.get(relation);
    const age = remembered ? performance.now() - remembered.at : Number.POSITIVE_INFINITY;
    if (remembered && age < FRESH_MS && roles.every((role) => remembered.roles.has(role))) {
      if (age >= RENEW_MS && !remembered.isBeingRenewed) renew(relation, remembered);
      return remembered.facts;
    }
    const asked = ask(relation, new Set([...roles, ...(remembered?.roles ?? [])]));
    known.set(relation, asked);
    asked.facts.catch(() => known.delete(relation));
    return asked.facts;
  };
}

type Sources = { database: Database; isPersonal: IsPersonal };

async function readFacts(
  { database, isPersonal }: Sources,
  { oid }: Relation,
  roles: string[],
): Promise<TableFacts | null> {
  const [row] = await database.query(FACTS, [String(oid), JSON.stringify(roles)]);
  if (!row?.facts) return null;
  const { hasRls, condition, usesOthers, columns, roles: found } = JSON.parse(row.facts) as Answer;
  const all = columns ?? [];
  const readable = (role: string) =>
    new Set(all.filter(({ readers }) => readers?.includes(role)).map(({ name }) => name));
  return {
    columns: all,
    keys: all.filter(({ isKey }) => isKey),
    hasRls,
    isPersonal: hasRls && (await isPersonal({ condition, usesOthers }, all)),
    readable: new Map((found ?? []).map(({ name }) => [name, readable(name)])),
    unbound: new Set((found ?? []).filter(({ unbound }) => unbound).map(({ name }) => name)),
  };
}

/** Whether a table's read policies can distinguish between users of the same role. */
type IsPersonal = (policies: Policies, columns: readonly Column[]) => Promise<boolean>;

const MAX_ANSWERS_BYTES = 1_000_000;
const ANSWER_BYTES = 100;
/** A result never changes for the same text, except after a database error. */
const REMEMBERED_MS = 300_000;

/**
 * Lets PostgreSQL decide: it accepts an expression for a generated column only if it is immutable and has no subquery,
 * so it cannot depend on settings, the current user or the clock. Anything it rejects, for whatever reason, counts as
 * personal.
 */
function createIsPersonal(database: Database): IsPersonal {
  const known = createByteCache<Promise<boolean>>({
    maxBytes: MAX_ANSWERS_BYTES,
    lifetime: REMEMBERED_MS,
    sizeOf: () => ANSWER_BYTES,
  });

  async function isRefused(statement: string): Promise<boolean> {
    try {
      await database.batch([{ text: statement, values: [] }], { undo: true });
      return false;
    } catch (cause) {
      if (cause instanceof DatabaseError) return true;
      throw cause;
    }
  }

  return async ({ condition, usesOthers }, columns) => {
    if (condition === null || usesOthers) return usesOthers;
    const statement = tryOut(columns, condition);
    const remembered = known.get(statement);
    if (remembered) return remembered;
    const answer = isRefused(statement);
    known.set(statement, answer);
    answer.catch(() => known.delete(statement));
    return answer;
  };
}

function tryOut(columns: readonly Column[], condition: string): string {
  const definitions = columns.map(({ name, sqlType }) => `${quoteIdentifier(name)} ${sqlType}`);
  const verdict = `"is shown" boolean generated always as (${condition}) stored`;
  return `create temp table policy_trial (${[...definitions, verdict].join(", ")})`;
}
