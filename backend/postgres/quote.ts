/** `"name"`, safe to use in SQL for any name. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** `"schema"."name"`; the schema is empty for names defined by the statement itself. */
export function quoteName({ schema, name }: { schema: string; name: string }): string {
  return schema === "" ? quoteIdentifier(name) : `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
}

/** A string literal. Only for values from the catalog or this code; clients' values are passed as parameters. */
export function quoteLiteral(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return text.includes("\\") ? `E${quoted.replaceAll("\\", "\\\\")}` : quoted;
}

/** `{"a","b"}`: PostgreSQL's text format of an array, for a parameter. */
export function arrayLiteral(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/[\\"]/g, "\\$&")}"`).join(",")}}`;
}
