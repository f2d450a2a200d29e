import { withClient } from "#backend/postgres/with-client.ts";

type LengthLimit = { table: string; column: string; max: number };

/** The maximum length of each text column of the public schema, from its check constraints. */
const LENGTH_LIMITS = `
  select relname as table, match[1] as column, min(match[2]::integer) as max
  from pg_constraint
  join pg_class on pg_class.oid = conrelid
  cross join regexp_matches(pg_get_constraintdef(pg_constraint.oid), 'char_length\\((\\w+)\\) <= (\\d+)', 'g') as match
  where contype = 'c' and relnamespace = 'public'::regnamespace
  group by 1, 2
  order by 1, 2`;

/** The limits as TypeScript, for `domain/text/column-limits.ts`, not yet formatted. */
export async function generateLimits(url: string): Promise<string> {
  const { rows } = await withClient(url, "limits", (client) => client.query<LengthLimit>(LENGTH_LIMITS));
  const tables: Record<string, Record<string, number>> = {};
  for (const { table, column, max } of rows) tables[table] = { ...tables[table], [column]: max };
  return `// Written by \`npm run schema\` from the check constraints of supabase/schemas.

/** The most characters of each text column that has such a limit. */
export const COLUMN_LIMITS = ${JSON.stringify(tables)} as const;
`;
}
