import type { Client } from "pg";

type Column = { name: string; type: string; nullable: boolean; optional: boolean; generated: boolean };
type Relationship = {
  name: string;
  columns: string[];
  one_to_one: boolean;
  table: string;
  referenced: string[];
};
type Table = { name: string; isView: boolean; columns: Column[]; relationships: Relationship[] | null };
type Parameter = { name: string; type: string; optional: boolean };
/** What the API can call: `rows` are the columns that it gives, or `table` the one whose rows it gives, or it gives none. */
type Callable = {
  name: string;
  parameters: Parameter[] | null;
  rows: Omit<Parameter, "optional">[] | null;
  table: string | null;
};

const HEAD = `// The public schema as types, in the shape that \`supabase gen types typescript\` writes.
// Made from the database's own catalogue; a test fails when the two differ, and \`vitest -u\` writes it anew.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  __InternalSupabase: { PostgrestVersion: "13" };
  public: {
    Tables: {
`;
const TAIL = `    Enums: { [_ in never]: never };
    CompositeTypes: { [_ in never]: never };
  };
};

type PublicTables = Database["public"]["Tables"];

/** A row as a read gives it: \`Tables<"items">\`. */
export type Tables<Name extends keyof PublicTables> = PublicTables[Name]["Row"];
/** What an insert of a row takes. */
export type TablesInsert<Name extends keyof PublicTables> = PublicTables[Name]["Insert"];
/** What an update of a row takes. */
export type TablesUpdate<Name extends keyof PublicTables> = PublicTables[Name]["Update"];
`;

const TABLES = `
  select tables.relname as name, relkind = 'v' as "isView",
    (select jsonb_agg(jsonb_build_object(
        'name', attname,
        'type', format_type(atttypid, null),
        'nullable', not attnotnull,
        'optional', not attnotnull or atthasdef or attidentity <> '',
        'generated', attidentity = 'a') order by attname)
      from pg_attribute where attrelid = tables.oid and attnum > 0 and not attisdropped) as columns,
    (select jsonb_agg(jsonb_build_object(
        'name', conname,
        'columns', names_of(conrelid, conkey),
        'one_to_one', exists (
          select from pg_constraint as keys
          where keys.conrelid = links.conrelid and keys.contype in ('p', 'u') and keys.conkey = links.conkey),
        'table', confrelid::regclass::text,
        'referenced', names_of(confrelid, confkey)) order by conname)
      from pg_constraint as links join pg_class as target on target.oid = confrelid
      where conrelid = tables.oid and contype = 'f' and target.relnamespace = tables.relnamespace) as relationships
  from pg_class as tables
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')
  order by 1`;
const FUNCTIONS = `
  select proname as name,
    (select jsonb_agg(jsonb_build_object(
        'name', argument, 'type', format_type(type, null), 'optional', place > pronargs - pronargdefaults)
        order by argument)
      from unnest(proargnames, coalesce(proallargtypes, proargtypes::oid[]), proargmodes)
        with ordinality as arguments (argument, type, mode, place)
      where coalesce(mode, 'i') = 'i') as parameters,
    (select jsonb_agg(jsonb_build_object('name', argument, 'type', format_type(type, null)) order by argument)
      from unnest(proargnames, proallargtypes, proargmodes) as arguments (argument, type, mode)
      where mode = 't') as rows,
    (select relname from pg_class where reltype = prorettype and relkind = 'r') as table
  from pg_proc where pronamespace = 'public'::regnamespace
  order by 1`;
const NAMES_OF = `
  create function pg_temp.names_of(class oid, numbers smallint[]) returns text[] language sql as $$
    select array_agg(attname::text order by place)
    from unnest(numbers) with ordinality as wanted (number, place)
    join pg_attribute on attrelid = class and attnum = number
  $$`;

/** Writes the types of the public schema's tables, views and functions, as `supabase gen types typescript` would. */
export async function writeDatabaseTypes(client: Client): Promise<string> {
  await client.query(NAMES_OF);
  const { rows } = await client.query<Table>(TABLES.replaceAll("names_of(", "pg_temp.names_of("));
  const functions = await client.query<Callable>(FUNCTIONS);
  const tables = rows.filter(({ isView }) => !isView).map(writeTable);
  const views = rows.filter(({ isView }) => isView).map(writeView);
  return HEAD + tables.join("") + writeViews(views) + writeFunctions(functions.rows) + TAIL;
}

function writeViews(views: string[]): string {
  const head = "    };\n    Views: ";
  return views.length === 0 ? `${head}{ [_ in never]: never };\n` : `${head}{\n${views.join("")}    };\n`;
}

function writeFunctions(functions: Callable[]): string {
  if (functions.length === 0) return "    Functions: { [_ in never]: never };\n";
  return `    Functions: {\n${functions.map(writeFunction).join("")}    };\n`;
}

function writeFunction({ name, parameters, rows, table }: Callable): string {
  const takes = (parameters ?? []).map(
    (parameter) =>
      `          ${parameter.name}${parameter.optional ? "?" : ""}: ${typeOf({ ...parameter, nullable: false })};\n`,
  );
  const gives = (rows ?? []).map(
    (column) => `          ${column.name}: ${typeOf({ ...column, nullable: false })};\n`,
  );
  return `      ${name}: {
        Args: ${takes.length > 0 ? `{\n${takes.join("")}        }` : "never"};
        Returns: ${table ? `Tables<"${table}">[]` : rows ? `{\n${gives.join("")}        }[]` : "undefined"};
      };\n`;
}

function writeTable({ name, columns, relationships }: Table): string {
  const shapes = [
    writeShape("Row", columns, (column) => `: ${typeOf(column)}`),
    writeShape("Insert", columns, (column) =>
      column.generated ? "?: never" : `${column.optional ? "?" : ""}: ${typeOf(column)}`,
    ),
    writeShape("Update", columns, (column) => (column.generated ? "?: never" : `?: ${typeOf(column)}`)),
  ];
  return `      ${name}: {\n${shapes.join("")}${writeRelationships(relationships ?? [])}      };\n`;
}

/** PostgreSQL does not know which columns of a view are never null, and this product writes none. */
function writeView({ name, columns }: Table): string {
  return `      ${name}: {\n${writeShape("Row", columns, (column) => `: ${typeOf(column)}`)}        Relationships: [];\n      };\n`;
}

function writeShape(name: string, columns: Column[], write: (column: Column) => string): string {
  const lines = columns.map((column) => `          ${column.name}${write(column)};\n`);
  return `        ${name}: {\n${lines.join("")}        };\n`;
}

function writeRelationships(relationships: Relationship[]): string {
  if (relationships.length === 0) return "        Relationships: [];\n";
  const entries = relationships.map(
    ({ name, columns, one_to_one, table, referenced }) => `          {
            foreignKeyName: ${JSON.stringify(name)};
            columns: ${JSON.stringify(columns)};
            isOneToOne: ${one_to_one};
            referencedRelation: ${JSON.stringify(table)};
            referencedColumns: ${JSON.stringify(referenced)};
          },\n`,
  );
  return `        Relationships: [\n${entries.join("")}        ];\n`;
}

const TYPES: Record<string, string> = {
  boolean: "boolean",
  bigint: "number",
  "double precision": "number",
  integer: "number",
  "integer[]": "number[]",
  jsonb: "Json",
  numeric: "number",
  smallint: "number",
  text: "string",
  "text[]": "string[]",
  "timestamp with time zone": "string",
  uuid: "string",
};

function typeOf({ name, type, nullable }: Pick<Column, "name" | "type" | "nullable">): string {
  const written = TYPES[type];
  if (!written)
    throw new Error(`Column ${name} has type ${type}, which write-database-types.ts does not know yet.`);
  return nullable ? `${written} | null` : written;
}
