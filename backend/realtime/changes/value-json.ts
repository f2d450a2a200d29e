const NUMBERS = new Set(["int2", "int4", "int8", "oid", "float4", "float8", "numeric"]);
const IS_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const IS_TIME = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d(?::?\d\d)*)?$/;

/**
 * A column's value as JSON, as PostgreSQL's `to_jsonb` would write it, except for `bytea`. `type` is the type name:
 * `int4`, `_text`.
 */
export function toValueJson(type: string, value: string | null): string {
  if (value === null) return "null";
  if (NUMBERS.has(type)) return toNumber(value);
  switch (type) {
    case "bool":
      return value === "t" ? "true" : "false";
    case "json":
    case "jsonb":
      return value;
    case "timestamp":
    case "timestamptz":
      return JSON.stringify(toIsoTime(value));
    // Unlike in rest/v1: the hosted service's feed writes hexadecimal digits only.
    case "bytea":
      return JSON.stringify(value.replace(/^\\x/, ""));
    default:
      return type.startsWith("_") ? toArray(type.slice(1), value) : JSON.stringify(value);
  }
}

// `NaN`, `Infinity` and anything else that is not a valid JSON number become strings.
function toNumber(value: string): string {
  return IS_NUMBER.test(value) ? value : JSON.stringify(value);
}

/** `2026-11-21 14:30:00+00` becomes `2026-11-21T14:30:00+00:00`; `infinity` and BC dates are left unchanged. */
function toIsoTime(value: string): string {
  const [, day, time, zone = ""] = IS_TIME.exec(value) ?? [];
  if (day === undefined) return value;
  return `${day}T${time}${/^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone}`;
}

/** `{1,NULL,"a \"b\""}`, nested or not; any other notation (`[0:1]={…}`) stays a string. */
function toArray(elementType: string, literal: string): string {
  if (!literal.startsWith("{")) return JSON.stringify(literal);
  let at = 0;
  function readList(): string {
    const items: string[] = [];
    at++;
    while (literal[at] !== "}" && at < literal.length) {
      items.push(literal[at] === "{" ? readList() : readItem());
      if (literal[at] === ",") at++;
    }
    at++;
    return `[${items.join(",")}]`;
  }
  function readItem(): string {
    if (literal[at] === '"') return toValueJson(elementType, readQuoted());
    const start = at;
    while (at < literal.length && literal[at] !== "," && literal[at] !== "}") at++;
    const item = literal.slice(start, at);
    return toValueJson(elementType, item === "NULL" ? null : item);
  }
  function readQuoted(): string {
    let item = "";
    for (at++; literal[at] !== '"' && at < literal.length; at++) {
      if (literal[at] === "\\") at++;
      item += literal[at];
    }
    at++;
    return item;
  }
  return readList();
}
