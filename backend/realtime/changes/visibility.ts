import { createHash } from "node:crypto";
import { type Database, DatabaseError, type Step } from "#backend/postgres/database.ts";
import type { Identity } from "#backend/tokens/identity.ts";
import type { Relation, RowText } from "../change-feed.ts";
import type { Column, TableFacts } from "./table-facts.ts";

/** Whether somebody sees a row; `failed` when a policy raised an error over it. */
export type Verdict = "seen" | "hidden" | "failed";

/** Verdicts of one person, row by row. */
export type Verdicts = readonly Verdict[];

/** Asks row-level security, as each of `people`, which of `rows` they see now. One round trip for all of them. */
export type Judge = (
  relation: Relation,
  facts: TableFacts,
  rows: readonly RowText[],
  people: readonly Identity[],
) => Promise<Verdicts[]>;

// No such function, or not even the schema for those of this session.
const MISSING = new Set(["42883", "3F000"]);

/**
 * The work is done by a function of the session's own, made where it is missing: inside it the query is planned once
 * and run for each person, which is ten times faster than planning it for each. Nobody's rights but the person's count.
 */
export function createJudge(database: Database): Judge {
  async function judge(
    relation: Relation,
    { keys }: TableFacts,
    rows: readonly RowText[],
    people: readonly Identity[],
  ): Promise<Verdicts[]> {
    const { call, create } = stepsFor(relation, keys, rows, people);
    try {
      const [row] = await database.batch([call]).catch((cause: unknown) => {
        if (!MISSING.has((cause as DatabaseError).code)) throw cause;
        return database.batch([create, call]);
      });
      return readVerdicts(row?.verdicts ?? "", rows.length, people.length);
    } catch (cause) {
      if (!(cause instanceof DatabaseError)) throw cause;
      return judgeApart(relation, keys, rows, people);
    }
  }

  /** Somebody's claims make a policy fail: the halves are asked apart, until only that person is left. */
  async function judgeApart(
    relation: Relation,
    keys: Column[],
    rows: readonly RowText[],
    people: readonly Identity[],
  ): Promise<Verdicts[]> {
    if (people.length === 1) return [rows.map(() => "failed")];
    const half = Math.ceil(people.length / 2);
    const facts = { keys } as TableFacts;
    return [
      ...(await judge(relation, facts, rows, people.slice(0, half))),
      ...(await judge(relation, facts, rows, people.slice(half))),
    ];
  }

  return judge;
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;

function stepsFor(
  { schema, name }: Relation,
  keys: Column[],
  rows: readonly RowText[],
  people: readonly Identity[],
): { call: Step; create: Step } {
  const shape = JSON.stringify([schema, name, keys.map((key) => [key.name, key.sqlType])]);
  const judge = `pg_temp.judge_${createHash("sha1").update(shape).digest("hex").slice(0, 16)}`;
  const lists = keys.map((_, at) => `list_${at} text`);
  const own = keys.map((_, at) => `own_${at}`);
  const seen = (values: string[]) => {
    const same = keys.map((key, at) => `seen.${quote(key.name)} = ${values[at]}`);
    return `select from ${quote(schema)}.${quote(name)} as seen where ${same.join(" and ")}`;
  };
  const casts = keys.map(
    (key, at) => `array(select jsonb_array_elements_text(list_${at}::jsonb))::${key.sqlType}[]`,
  );
  const body = `
    #variable_conflict use_variable
    declare
      persons text[] := array(select json_array_elements_text(roles::json));
      papers text[] := array(select json_array_elements_text(claims::json));
      names text[] := array(select json_array_elements_text(subs::json));
      ${keys.map((key, at) => `keys_${at} ${key.sqlType}[] := ${casts[at]};`).join("\n      ")}
      verdicts text := '';
      marks text;
      person text := '';
      ignored text;
      i integer;
    begin
      -- Whoever asks, the plan is the same.
      perform set_config('plan_cache_mode', 'force_generic_plan', true);
      for i in 1 .. cardinality(persons) loop
        if persons[i] <> person then
          person := persons[i];
          perform set_config('role', person, true);
        end if;
        ignored := set_config('request.jwt.claims', papers[i], true);
        -- auth.uid() looks here first: without it the claims would be parsed anew wherever a policy asks who it is.
        ignored := set_config('request.jwt.claim.sub', names[i], true);
        if cardinality(keys_0) = 1 then
          marks := exists (${seen(keys.map((_, at) => `keys_${at}[1]`))})::int;
        else
          select string_agg(exists (${seen(own.map((name) => `wanted.${name}`))})::int::text, '' order by wanted.n) into marks
            from unnest(${keys.map((_, at) => `keys_${at}`).join(", ")}) with ordinality as wanted (${own.join(", ")}, n);
        end if;
        verdicts := verdicts || marks;
      end loop;
      return verdicts;
    end
`;
  const create = `create or replace function ${judge}(roles text, claims text, subs text, ${lists.join(", ")})
    returns text language plpgsql as '${body.replaceAll("'", "''")}'`;
  const columns = keys.map((key) => JSON.stringify(rows.map((row) => row[key.name])));
  const values = [
    JSON.stringify(people.map(({ role }) => role)),
    JSON.stringify(people.map(({ claimsText }) => claimsText)),
    JSON.stringify(people.map(({ claims }) => claims.sub ?? "")),
    ...columns,
  ];
  const parameters = values.map((_, at) => `$${at + 1}`).join(", ");
  return {
    call: { text: `select ${judge}(${parameters}) as verdicts`, values },
    create: { text: create, values: [] },
  };
}

function readVerdicts(marks: string, rows: number, people: number): Verdicts[] {
  return Array.from({ length: people }, (_, person) =>
    Array.from({ length: rows }, (__, row) => (marks[person * rows + row] === "1" ? "seen" : "hidden")),
  );
}
