import { quoteLiteral, quoteName } from "#backend/postgres/quote.ts";
import type { AnswerMedia, Guard, RowKind } from "../query/answer.ts";
import type { Statement } from "../query/statement.ts";
import type { MediaHandler } from "../schema-cache/types.ts";
import type { Parameters } from "./parameters.ts";

export type MainParts = {
  parameters: Parameters;
  /** The write or call whose rows the response reads; null for a plain read. */
  source: string | null;
  /** The select for the response's rows; null if only their number is needed. */
  answer: string | null;
  media: AnswerMedia;
  rows: RowKind;
  /** A select of one row per row of the full result; null if no exact count was requested. */
  count: string | null;
  /** The total equals the page's row count, since nothing was cut off. */
  countIsPage: boolean;
  /** Columns for the Location of a single new row; empty if a write was not asked for it, null if this is no write. */
  locationColumns: readonly string[] | null;
  guard: Guard | null;
};

/** A single statement that does the work and builds the whole response. */
export function mainStatement(parts: MainParts): Statement {
  const ctes = [
    parts.source === null ? null : `pgrst_source AS (${parts.source})`,
    `${answerName} AS (${parts.answer ?? "SELECT * FROM pgrst_source"})`,
    parts.count === null ? null : `pgrst_count AS (${parts.count})`,
  ].filter((cte) => cte !== null);
  const page = isValue(parts.media) ? "1" : `count(${answerRow})`;
  // The order is PostgREST's: clients see it in verbose query plans. Each column is received as PostgreSQL's text, so
  // none is cast to it; for xml, a cast would also keep a leading empty line.
  const columns = [
    `${page} AS page`,
    `${totalSql(parts, page)} AS total`,
    ...(parts.locationColumns === null ? [] : [`${locationSql(parts.locationColumns, page)} AS location`]),
    `${parts.answer === null ? "''" : bodySql(parts.media, parts.rows)} AS body`,
    "nullif(current_setting('response.headers', true), '') AS response_headers",
    "nullif(current_setting('response.status', true), '') AS response_status",
    "nullif(current_setting('pgrst.updated', true), '') AS updated",
    ...(parts.guard === null ? [] : [`${guardSql(parts.guard, page, parts.parameters)} AS guard`]),
  ];
  const answer = `(SELECT * FROM ${answerName}) ${answerRow}`;
  // Without an aggregate, a range that leaves nothing of a value would leave no row for the other columns either.
  const from = isValue(parts.media) ? `(SELECT) always LEFT JOIN ${answer} ON true` : answer;
  const text = `WITH ${ctes.join(", ")} SELECT ${columns.join(", ")} FROM ${from}`;
  return { text: explained(text, parts.media), values: parts.parameters.values };
}

function totalSql({ count, countIsPage }: MainParts, page: string): string {
  if (count !== null) return "(SELECT count(*) FROM pgrst_count)";
  return countIsPage ? page : "null::bigint";
}

/** The key of the new row; null unless there is exactly one. */
function locationSql(columns: readonly string[], page: string): string {
  if (columns.length === 0) return "null";
  const names = columns.map(quoteLiteral).join(", ");
  const key =
    "SELECT json_agg(json_build_array(key, coalesce('eq.' || value, 'is.null'))) " +
    `FROM (SELECT row_to_json(pgrst_source) AS fields FROM pgrst_source) one, json_each_text(fields) WHERE key IN (${names})`;
  return `CASE WHEN ${page} = 1 THEN (${key}) END`;
}

const guardMark = `guard ${crypto.randomUUID()}:`;

// Raising an error rolls back the whole batch without a second round trip. The cast fails on purpose, with a marker
// that no client can know, followed by the number of rows.
function guardSql(guard: Guard, page: string, parameters: Parameters): string {
  const holds =
    guard.kind === "max-affected"
      ? `${page} <= ${parameters.text(String(guard.limit))}::bigint`
      : `${page} = 1`;
  return `CASE WHEN ${holds} THEN 0 ELSE (${parameters.text(guardMark)}::text || ${page})::integer END`;
}

/** The row count reported by a guard, if this error message is from a guard. */
export function guardedRows(message: string): number | null {
  const start = message.indexOf(guardMark);
  return start < 0 ? null : Number.parseInt(message.slice(start + guardMark.length), 10);
}

function explained(text: string, { explain }: AnswerMedia): string {
  if (explain === null) return text;
  return `EXPLAIN (${[`FORMAT ${explain.format}`, ...explain.options].join(", ")}) ${text}`;
}

/** Alias of the response's rows in the main statement. */
const answerRow = "pgrst_row";
/** Name of the CTE with the response's rows. */
const answerName = "pgrst_answer";

/** Whether the body is a function's single value, so that there is nothing to aggregate. */
function isValue({ format, handler }: AnswerMedia): boolean {
  return format === "custom" && handler === null;
}

/** An aggregate over the response's rows, or a function's value, whose text is the whole body. */
function bodySql(media: AnswerMedia, rows: RowKind): string {
  if (media.format === "custom") return customSql(media.handler);
  if (media.format === "csv") return csvSql;
  if (media.format === "geojson") return geoJsonSql;
  const value = rows === "scalar" || rows === "scalars" ? `${answerRow}.pgrst_scalar` : answerRow;
  const list = media.stripNulls ? `json_strip_nulls(json_agg(${value}))` : `json_agg(${value})`;
  const isOne = media.format === "single" || rows === "scalar" || rows === "single-row";
  return isOne ? `coalesce(${list}->0, 'null')` : `coalesce(${list}, '[]')`;
}

function customSql(handler: MediaHandler | null): string {
  if (handler === null) return `${answerRow}.pgrst_scalar`;
  const row = handler.rowType === null ? answerRow : `${answerRow}::${quoteName(handler.rowType)}`;
  return `${quoteName(handler.aggregate)}(${row})`;
}

const geoJsonSql = `json_build_object('type', 'FeatureCollection', 'features', coalesce(json_agg(ST_AsGeoJSON(${answerRow})::json), '[]'))`;

// A row's text representation is CSV in parentheses.
const csvSql = `(SELECT coalesce(string_agg(name, ','), '') FROM (SELECT json_object_keys(row_to_json(first_row))::text AS name FROM (SELECT * FROM ${answerName} LIMIT 1) first_row) names) || E'\\n' || coalesce(string_agg(substring(${answerRow}::text, 2, length(${answerRow}::text) - 2), E'\\n'), '')`;
