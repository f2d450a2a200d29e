import type { OrderTerm } from "../query/query-types.ts";
import type { SelectedField } from "../query/read-plan.ts";

// The parser restricts the alphabet of cast names; quoting one would turn `int` into the name of a user-defined type.
export function castSql(sql: string, cast: string | null): string {
  return cast === null ? sql : `CAST(${sql} AS ${cast})`;
}

/** The output name of a selected field; null leaves it to PostgreSQL. */
export function selectedName({ field, alias, aggregate }: SelectedField, inSpread = false): string | null {
  if (alias !== null) return alias;
  if (aggregate !== null) return inSpread ? aggregate : null;
  if (field.path.length === 0) return null;
  return field.path.findLast((step) => !step.isIndex)?.key ?? field.name;
}

export function directionSql({ direction, nulls }: OrderTerm): string {
  return `${direction === null ? "" : ` ${direction.toUpperCase()}`}${nulls === null ? "" : ` NULLS ${nulls.toUpperCase()}`}`;
}
