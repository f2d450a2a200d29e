import type { Column, KeyRelationship, Relationship, Table } from "../schema-cache/types.ts";
import { defaultValue, typeSchema } from "./column-types.ts";
import type { Schema } from "./swagger-types.ts";

/** The schema of a table's rows; keys are described in the format that client generators parse. */
export function tableDefinition(table: Table, relationships: readonly Relationship[]): Schema {
  const columns = [...table.columns.values()];
  const required = columns.filter((column) => !column.nullable).map((column) => column.name);
  return {
    type: "object",
    ...(table.comment !== null && { description: table.comment }),
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(
      columns.map((column) => [column.name, columnSchema(column, keyNotes(column, table, relationships))]),
    ),
  };
}

function columnSchema(column: Column, notes: string[]): Schema {
  const value = defaultValue(column.type, column.defaultExpression);
  const description = describe(column.comment, notes);
  return {
    ...typeSchema(column.type),
    ...(description !== null && { description }),
    ...(value !== undefined && { default: value }),
    ...(column.enumValues.length > 0 && { enum: column.enumValues }),
    ...(column.maxLength !== null && { maxLength: column.maxLength }),
  };
}

function describe(comment: string | null, notes: string[]): string | null {
  if (notes.length === 0) return comment;
  return `${comment === null ? "" : `${comment}\n\n`}${["Note:", ...notes].join("\n")}`;
}

function keyNotes(column: Column, table: Table, relationships: readonly Relationship[]): string[] {
  const notes: string[] = [];
  if (table.primaryKey.includes(column.name)) notes.push("This is a Primary Key.<pk/>");
  const key = foreignKeyOf(column, relationships);
  if (key) {
    const target = key.foreignTable.name;
    const targetColumn = key.columns[0]?.[1];
    notes.push(
      `This is a Foreign Key to \`${target}.${targetColumn}\`.<fk table='${target}' column='${targetColumn}'/>`,
    );
  }
  return notes;
}

/**
 * The single-column foreign key of this column, preferring one that references a table over one that references a view
 * of it.
 */
function foreignKeyOf(column: Column, relationships: readonly Relationship[]): KeyRelationship | undefined {
  const keys = relationships.filter(
    (relationship): relationship is KeyRelationship =>
      relationship.kind === "key" &&
      holdsKey(relationship) &&
      relationship.columns.length === 1 &&
      relationship.columns[0]?.[0] === column.name,
  );
  return keys.find((key) => !key.foreignTableIsView) ?? keys[0];
}

function holdsKey({ cardinality, isParent }: KeyRelationship): boolean {
  return cardinality === "many-to-one" || (cardinality === "one-to-one" && !isParent);
}
