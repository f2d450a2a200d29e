import * as v from "valibot";
import type { Row } from "#backend/postgres/database.ts";
import type { Place } from "../../objects/level-by-time.ts";
import { listLevelByTime, pageAllByTime } from "../../objects/list-by-time.ts";
import { toEntry } from "../../objects/object-row.ts";
import { NO_TIME } from "../../objects/time-index.ts";
import { walkNames } from "../../objects/walk-names.ts";
import { numeric, truth } from "../../parse-input.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { readJson } from "../../requests/read-json.ts";
import { invalidRequest } from "../../storage-error.ts";
import type { StorageService } from "../../storage-service.ts";
import { ListChoices, leavesNone, listExact } from "./list-choices.ts";

const MOST = 1000;

const Body = v.object({
  prefix: v.nullish(v.string()),
  limit: v.nullish(v.pipe(numeric, v.integer(), v.minValue(1))),
  cursor: v.nullish(v.string()),
  with_delimiter: v.nullish(truth),
  sortBy: v.nullish(
    v.object({
      column: v.optional(v.picklist(["name", "updated_at", "created_at"]), "name"),
      order: v.optional(v.picklist(["asc", "desc"]), "asc"),
    }),
  ),
  ...ListChoices,
});

type Sort = { column: "name" | "updated_at" | "created_at"; order: "asc" | "desc" };

/** POST /object/list-v2/{bucket}: keyset pagination, flat or by folders. */
export async function listV2(call: Call, service: StorageService): Promise<Reply> {
  const actor = await call.actor();
  const body = await readJson(call, Body);
  const sort: Sort = body.sortBy ?? { column: "name", order: "asc" };
  const limit = Math.min(body.limit ?? MOST, MOST);
  const filter = filterOf(body, sort);
  const after = body.cursor ? readCursor(body.cursor, filter) : null;
  const prefix = body.prefix ?? "";
  const bucket = call.params.bucket as string;
  const byFolder = body.with_delimiter ?? false;
  const reply = (rows: Row[]) => ({ status: 200, body: toPage(rows, limit, { prefix, filter }) });
  if (leavesNone(body)) return reply([]);
  if (body.exactMatch) return reply(after ? [] : await listExact(service, actor, bucket, prefix));
  if (sort.column === "name") {
    const delimiter = byFolder ? "/" : "";
    const walk = { bucket, prefix, delimiter, order: sort.order, after: after?.name ?? null };
    return reply(await walkNames(service, actor, { ...walk, limit: limit + 1 }));
  }
  const page = { bucket, prefix, column: sort.column, order: sort.order, after, limit: limit + 1 };
  if (!byFolder) return reply(await pageAllByTime(service, actor, page));
  return reply(await listLevelByTime(service, actor, { ...page, foldersFirst: sort.order === "asc" }));
}

/** What a cursor continues: with another filter or order, it would skip entries that were never shown. */
function filterOf(body: v.InferOutput<typeof Body>, { column, order }: Sort): string {
  const { noncurrentVersions, deleteMarkers } = body;
  return [column, order, noncurrentVersions ?? "exclude", deleteMarkers ?? "exclude"].join(" ");
}

function toPage(rows: Row[], limit: number, { prefix, filter }: { prefix: string; filter: string }) {
  const page = rows.slice(0, limit);
  const hasNext = rows.length > limit;
  const last = page.at(-1);
  return {
    hasNext,
    folders: page.filter(({ id }) => id === null).map(({ name }) => ({ name, key: keyOf(name, prefix) })),
    objects: page
      .filter(({ id }) => id !== null)
      .map((row) => ({ ...toEntry(row), key: keyOf(row.name, prefix) })),
    ...(hasNext &&
      last && {
        nextCursor: writeCursor({ name: last.name as string, value: last.value ?? NO_TIME }, filter),
      }),
  };
}

/** The segment of a name at the level of the prefix. */
function keyOf(name: string | null | undefined, prefix: string): string {
  const level = prefix.split("/").length - 1;
  return (name as string).split("/")[level] ?? "";
}

function writeCursor({ name, value }: Place, filter: string): string {
  return Buffer.from(JSON.stringify([name, value, filter])).toString("base64url");
}

const CursorText = v.tuple([v.string(), v.pipe(v.string(), v.regex(/^-infinity$|^[\d .:+-]+$/)), v.string()]);

function readCursor(text: string, filter: string): Place {
  try {
    const [name, value, before] = v.parse(CursorText, JSON.parse(Buffer.from(text, "base64url").toString()));
    if (!name.includes("\0") && before === filter) return { name, value };
  } catch {}
  throw invalidRequest("Invalid cursor");
}
