import type { AnswerMedia } from "../query/answer.ts";
import type { SelectItem } from "../query/query-types.ts";
import type { MediaHandler, QualifiedName, Routine, SchemaCache } from "../schema-cache/types.ts";

/** The database's own representation for a media type; null if it has none and the built-in one applies. */
export type CustomMedia = (mediaType: string) => AnswerMedia | null;

/** Media type of handlers for all types. */
const ANY = "*/*";

/** Handlers for rows of a table, or of a function that returns such rows. */
export function mediaOfRows(
  { mediaHandlers }: SchemaCache,
  rowType: QualifiedName,
  select: readonly SelectItem[],
): CustomMedia {
  // A table's handler requires complete rows.
  const own = isWhole(select) ? mediaHandlers.filter((handler) => isOf(handler, rowType)) : [];
  const general = mediaHandlers.filter((handler) => handler.rowType === null);
  return (mediaType) => {
    const takes = (handler: MediaHandler) => handler.mediaType === mediaType;
    const handler = own.find((each) => each.mediaType === ANY) ?? own.find(takes) ?? general.find(takes);
    return handler ? customMedia(handler.mediaType, handler.isBytes, handler) : null;
  };
}

/** For a function that returns a media type domain. */
export function mediaOfValue({ returns }: Routine): CustomMedia {
  const { mediaType, isBytes } = returns;
  return (wanted) =>
    mediaType !== null && (mediaType === ANY || mediaType === wanted)
      ? customMedia(mediaType, isBytes, null)
      : null;
}

function isOf({ rowType }: MediaHandler, { schema, name }: QualifiedName): boolean {
  return rowType !== null && rowType.schema === schema && rowType.name === name;
}

function isWhole(select: readonly SelectItem[]): boolean {
  return select.every((item) => item.kind === "field" && item.field.name === "*" && item.aggregate === null);
}

const inUtf8 = new Set([
  "text/plain",
  "text/xml",
  "text/csv",
  "application/json",
  "application/geo+json",
  "application/openapi+json",
]);

function customMedia(mediaType: string, isBytes: boolean, handler: MediaHandler | null): AnswerMedia {
  const named = mediaType === ANY ? "application/octet-stream" : mediaType;
  const contentType = inUtf8.has(named) ? `${named}; charset=utf-8` : named;
  return { format: "custom", handler, isBytes, stripNulls: false, contentType, explain: null };
}
