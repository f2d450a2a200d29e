import * as v from "valibot";
import { runAs } from "../../database/run-as.ts";
import { toEntry } from "../../objects/object-row.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { readJson } from "../../requests/read-json.ts";
import type { StorageService } from "../../storage-service.ts";

const COLUMNS = ["name", "updated_at", "created_at", "last_accessed_at"] as const;

const Body = v.object({
  prefix: v.optional(v.string(), ""),
  limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)), 100),
  offset: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
  sortBy: v.optional(
    v.object({
      column: v.optional(v.picklist(COLUMNS), "name"),
      order: v.optional(v.picklist(["asc", "desc"]), "asc"),
    }),
    {},
  ),
  search: v.nullish(v.string()),
});

/** POST /object/list/{bucket}: one level of a folder, folders and files. */
export async function list(call: Call, service: StorageService): Promise<Reply> {
  const actor = await call.actor();
  const { prefix, limit, offset, sortBy, search } = await readJson(call, Body);
  const folder = prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`;
  const text = listStatement(sortBy.column, sortBy.order);
  const values = [call.params.bucket as string, folder, search ?? "", String(limit), String(offset)];
  const rows = await runAs(service.database, actor, { text, values });
  return { status: 200, body: rows.map(toEntry) };
}

// The folder's names lie together in the index. A search tells how the name begins, in any case; a folder has no times.
function listStatement(column: (typeof COLUMNS)[number], order: "asc" | "desc"): string {
  const byName = `name collate "C" ${order}`;
  return `with inside as (
      select substr(name, char_length($2) + 1) as rest, id, updated_at, created_at, last_accessed_at, metadata
      from storage.objects
      where bucket_id = $1 and name collate "C" >= $2 and starts_with(name, $2)
    ), level as (
      select split_part(rest, '/', 1) as name, null::uuid as id, null::timestamptz as updated_at,
        null::timestamptz as created_at, null::timestamptz as last_accessed_at, null::jsonb as metadata
      from inside where strpos(rest, '/') > 0 group by 1
      union all
      select rest, id, updated_at, created_at, last_accessed_at, metadata
      from inside where strpos(rest, '/') = 0 and rest <> ''
    )
    select * from level where starts_with(lower(name), lower($3))
    order by ${column === "name" ? byName : `(id is null) desc, ${column} ${order}, ${byName}`}
    limit $4::integer offset $5::integer`;
}
