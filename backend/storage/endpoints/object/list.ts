import { hash } from "node:crypto";
import * as v from "valibot";
import type { Row } from "#backend/postgres/database.ts";
import type { Actor } from "../../database/run-as.ts";
import type { Place } from "../../objects/level-by-time.ts";
import { listLevelFrom } from "../../objects/list-from-offset.ts";
import { toEntry } from "../../objects/object-row.ts";
import { NO_TIME } from "../../objects/time-index.ts";
import { walkNames } from "../../objects/walk-names.ts";
import { numeric } from "../../parse-input.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { readJson } from "../../requests/read-json.ts";
import type { StorageService } from "../../storage-service.ts";
import { ListChoices, leavesNone, listExact } from "./list-choices.ts";

/** Larger limits are capped, as upstream. */
const MOST = 1500;
/** Offsets below this are skipped quickly without a saved position. */
const FAR = 200;
const COLUMNS = ["name", "updated_at", "created_at", "last_accessed_at"] as const;

const Body = v.object({
  prefix: v.optional(v.string(), ""),
  limit: v.optional(v.pipe(numeric, v.integer(), v.minValue(1)), 100),
  offset: v.optional(v.pipe(numeric, v.integer(), v.minValue(0), v.maxValue(2 ** 31 - 1)), 0),
  sortBy: v.optional(
    v.object({
      column: v.optional(v.picklist(COLUMNS), "name"),
      order: v.optional(v.picklist(["asc", "desc"]), "asc"),
    }),
    {},
  ),
  search: v.nullish(v.string()),
  ...ListChoices,
});

/** POST /object/list/{bucket}: one level of a folder, both folders and files. */
export async function list(call: Call, service: StorageService): Promise<Reply> {
  const actor = await call.actor();
  const { prefix, offset, sortBy, search, ...asked } = await readJson(call, Body);
  const limit = Math.min(asked.limit, MOST);
  const folder = prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`;
  const bucket = call.params.bucket as string;
  const { column, order } = sortBy;
  if (leavesNone(asked) || (asked.exactMatch && offset > 0)) return { status: 200, body: [] };
  if (asked.exactMatch) {
    const rows = await listExact(service, actor, bucket, prefix);
    return { status: 200, body: rows.map((row) => toEntry({ ...row, name: lastPart(prefix) })) };
  }
  const level = splitSearch(search ?? "");
  const page = { bucket, prefix: folder + level.folders, order, search: level.search, inside: true };
  const rows = await listFurther(service, actor, { ...page, column, limit, offset }, (from) =>
    column === "name"
      ? walkNames(service, actor, {
          ...page,
          ...from,
          after: from.after?.name ?? null,
          delimiter: "/",
          limit,
        })
      : listLevelFrom(service, actor, { ...page, ...from, column, limit }),
  );
  return { status: 200, body: rows.map((row) => toEntry({ ...row, name: nameIn(folder, row) })) };
}

/** Continues where the caller's previous page ended, which avoids stepping over all entries that the offset skips. */
async function listFurther(
  { pageEnds }: StorageService,
  { identity: { role, claimsText } }: Actor,
  { limit, offset, ...place }: { limit: number; offset: number; column: string; prefix: string },
  read: (from: { after: Place | null; offset: number }) => Promise<Row[]>,
): Promise<Row[]> {
  const end = offset + limit;
  if (end < FAR) return read({ after: null, offset });
  const list = hash("sha256", JSON.stringify([role, claimsText, place]), "base64");
  const after = offset < FAR ? undefined : pageEnds.get(`${list} ${offset}`);
  const rows = await read(after ? { after: JSON.parse(after), offset: 0 } : { after: null, offset });
  const last = rows.at(-1);
  if (last && rows.length === limit)
    pageEnds.set(`${list} ${end}`, JSON.stringify({ name: last.name, value: last.value ?? NO_TIME }));
  return rows;
}

/** A search may name folders, which are looked up as they are written, and then the beginning of an entry in them. */
function splitSearch(text: string) {
  const start = text.lastIndexOf("/") + 1;
  return { folders: text.slice(0, start), search: text.slice(start) };
}

const lastPart = (name: string) => name.slice(name.lastIndexOf("/") + 1);

function nameIn(folder: string, { name, id }: Row): string {
  const rest = (name as string).slice(folder.length);
  return id === null ? rest.slice(0, -1) : rest;
}
