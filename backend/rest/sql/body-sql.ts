import type { AnswerMedia, RowKind } from "../query/answer.ts";

/** Name of the answer's rows in the main statement. */
export const answerRow = "pgrst_row";
/** Name of the answer as a whole. */
export const answerName = "pgrst_answer";

/** An aggregate over the answer's rows that gives the whole body as text. */
export function bodySql(media: AnswerMedia, rows: RowKind): string {
  if (media.format === "csv") return csvSql;
  if (media.format === "geojson") return geoJsonSql;
  const value = rows === "scalar" || rows === "scalars" ? `${answerRow}.pgrst_scalar` : answerRow;
  const list = media.stripNulls ? `json_strip_nulls(json_agg(${value}))` : `json_agg(${value})`;
  const isOne = media.format === "single" || rows === "scalar" || rows === "single-row";
  return isOne ? `coalesce(${list}->0, 'null')` : `coalesce(${list}, '[]')`;
}

const geoJsonSql = `json_build_object('type', 'FeatureCollection', 'features', coalesce(json_agg(ST_AsGeoJSON(${answerRow})::json), '[]'))`;

// A row's own text form is CSV between parentheses.
const csvSql = `(SELECT coalesce(string_agg(name, ','), '') FROM (SELECT json_object_keys(row_to_json(first_row))::text AS name FROM (SELECT * FROM ${answerName} LIMIT 1) first_row) names) || E'\\n' || coalesce(string_agg(substring(${answerRow}::text, 2, length(${answerRow}::text) - 2), E'\\n'), '')`;
