import * as v from "valibot";
import type { Row } from "#backend/postgres/database.ts";
import { runAs } from "../../database/run-as.ts";
import { toEntry } from "../../objects/object-row.ts";
import { walkNames } from "../../objects/walk-names.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { readJson } from "../../requests/read-json.ts";
import type { StorageService } from "../../storage-service.ts";
import { ListChoices, leavesNone, listExact } from "./list-choices.ts";

/** As upstream: who asks for more gets so many. */
const MOST = 1500;
const COLUMNS = ["name", "updated_at", "created_at", "last_accessed_at"] as const;

const Body = v.object({
  prefix: v.optional(v.string(), ""),
  limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 100),
  offset: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2 ** 31 - 1)), 0),
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

/** POST /object/list/{bucket}: one level of a folder, folders and files. */
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
  if (column === "name") {
    const walk = { bucket, prefix: folder, delimiter: "/", order, inside: true, limit, offset };
    const rows = await walkNames(service, actor, { ...walk, search: search ?? "" });
    return { status: 200, body: rows.map((row) => toEntry({ ...row, name: nameIn(folder, row) })) };
  }
  const text = listByTime(column, order);
  const values = [bucket, folder, search ?? "", String(limit), String(offset)];
  const rows = await runAs(service.database, actor, { text, values });
  return { status: 200, body: rows.map(toEntry) };
}

const lastPart = (name: string) => name.slice(name.lastIndexOf("/") + 1);

function nameIn(folder: string, { name, id }: Row): string {
  const rest = (name as string).slice(folder.length);
  return id === null ? rest.slice(0, -1) : rest;
}

// The folder's names lie together in the index. A search tells how the name begins, in any case; a folder has no times.
function listByTime(column: string, order: "asc" | "desc"): string {
  return `with inside as (
      select substr(name, char_length($2) + 1) as rest, id, updated_at, created_at, last_accessed_at, metadata
      from storage.objects
      where bucket_id = $1 and name collate "C" > $2 and name collate "C" < $2 || chr(1114111)
    ), level as (
      select split_part(rest, '/', 1) as name, null::uuid as id, null::timestamptz as updated_at,
        null::timestamptz as created_at, null::timestamptz as last_accessed_at, null::jsonb as metadata
      from inside where strpos(rest, '/') > 0 group by 1
      union all
      select rest, id, updated_at, created_at, last_accessed_at, metadata from inside where strpos(rest, '/') = 0
    )
    select * from level where starts_with(lower(name), lower($3))
    order by (id is null) desc, ${column} ${order}, name collate "C" ${order} limit $4::integer offset $5::integer`;
}
