/** `"name"`, safe to stand in SQL whatever the name is. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** `"schema"."name"`; no schema for names that the statement itself gave. */
export function quoteName({ schema, name }: { schema: string; name: string }): string {
  return schema === "" ? quoteIdentifier(name) : `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
}

/** A string constant. Only for what comes from the catalogue or from this code; a client's values are parameters. */
export function quoteLiteral(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return text.includes("\\") ? `E${quoted.replaceAll("\\", "\\\\")}` : quoted;
}

/** `{"a","b"}`: PostgreSQL's text form of an array, for a parameter. */
export function arrayLiteral(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/[\\"]/g, "\\$&")}"`).join(",")}}`;
}
