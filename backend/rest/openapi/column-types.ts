import type { Schema, SwaggerType } from "./swagger-types.ts";

const types = new Map<string, SwaggerType | undefined>([
  ["boolean", "boolean"],
  ["smallint", "integer"],
  ["integer", "integer"],
  ["bigint", "integer"],
  ["numeric", "number"],
  ["real", "number"],
  ["double precision", "number"],
  // Can hold any JSON value, so no type is given.
  ["json", undefined],
  ["jsonb", undefined],
]);

const wholeNumbers = new Map([
  ["smallint", "int32"],
  ["integer", "int32"],
  ["bigint", "int64"],
]);

/** OpenAPI's format name if it has one, else PostgreSQL's type. */
export function swaggerFormat(postgresType: string): string {
  return wholeNumbers.get(postgresType) ?? postgresType;
}

/** OpenAPI's type for a PostgreSQL type; types without a counterpart are strings. */
export function swaggerType(postgresType: string): SwaggerType | undefined {
  if (types.has(postgresType)) return types.get(postgresType);
  return postgresType.endsWith("[]") ? "array" : "string";
}

/** `type`, `format` and, for arrays, `items`; without `type` if any JSON value is allowed. */
export function typeSchema(postgresType: string): Schema {
  const type = swaggerType(postgresType);
  return {
    format: swaggerFormat(postgresType),
    ...(type && { type }),
    ...(type === "array" && { items: itemType(postgresType) }),
  };
}

/** The element type of an array type. */
export function itemType(arrayType: string): { type?: SwaggerType } {
  const type = swaggerType(arrayType.slice(0, -2));
  return type ? { type } : {};
}

/**
 * The default as a JSON value. Constants lose their quotes and cast; expressions of string-like types are kept as text
 * (`now()`); others that are not JSON, such as `nextval(…)`, are omitted (undefined).
 */
export function defaultValue(postgresType: string, expression: string | null): unknown {
  if (expression === null) return undefined;
  if (swaggerType(postgresType) === "string") return unquote(expression, postgresType);
  try {
    return JSON.parse(expression);
  } catch {
    return undefined;
  }
}

function unquote(expression: string, postgresType: string): string {
  const cast = `::${postgresType}`;
  if (!expression.endsWith(cast)) return expression;
  const constant = /^'(.*)'$/s.exec(expression.slice(0, -cast.length));
  return constant ? (constant[1] as string).replaceAll("''", "'") : expression;
}
