import * as v from "valibot";
import type { Row } from "#backend/postgres/database.ts";
import { runAs } from "../../database/run-as.ts";
import { toEntry } from "../../objects/object-row.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { readJson } from "../../requests/read-json.ts";
import { invalidRequest } from "../../storage-error.ts";
import type { StorageService } from "../../storage-service.ts";

const MOST = 1000;

const Body = v.object({
  prefix: v.nullish(v.string()),
  limit: v.nullish(v.pipe(v.number(), v.integer(), v.minValue(1))),
  cursor: v.nullish(v.string()),
  with_delimiter: v.nullish(v.boolean()),
  sortBy: v.nullish(
    v.object({
      column: v.optional(v.picklist(["name", "updated_at", "created_at"]), "name"),
      order: v.optional(v.picklist(["asc", "desc"]), "asc"),
    }),
  ),
});

type Sort = { column: "name" | "updated_at" | "created_at"; order: "asc" | "desc" };
/** What the page before ended with: its name, and its time where the list is by time. */
type Cursor = { name: string; value: string };

/** POST /object/list-v2/{bucket}: in pages that follow one another by what they end with, flat or by folders. */
export async function listV2(call: Call, service: StorageService): Promise<Reply> {
  const actor = await call.actor();
  const body = await readJson(call, Body);
  const sort: Sort = body.sortBy ?? { column: "name", order: "asc" };
  const limit = Math.min(body.limit ?? MOST, MOST);
  const after = body.cursor ? readCursor(body.cursor) : null;
  const prefix = body.prefix ?? "";
  const values = [
    call.params.bucket as string,
    prefix,
    after?.name ?? null,
    after?.value ?? null,
    String(limit + 1),
  ];
  const text = statement(sort, body.with_delimiter ?? false);
  const rows = await runAs(service.database, actor, { text, values });
  return { status: 200, body: toPage(rows, limit, prefix) };
}

function statement({ column, order }: Sort, byFolder: boolean): string {
  const beyond = order === "asc" ? ">" : "<";
  const folder = byFolder ? "strpos(substr(name, char_length($2) + 1), '/')" : "0";
  // A folder stands at its name's place, or, by time, before all times.
  const time = column === "name" ? "'-infinity'::timestamptz" : `coalesce(${column}, '-infinity')`;
  return `with matching as (
      select *, ${folder} as slash from storage.objects
      where bucket_id = $1 and name collate "C" >= $2 and starts_with(name, $2)
    ), entries as (
      select distinct left(name, char_length($2) + slash) as name, null::uuid as id, null::timestamptz as updated_at,
        null::timestamptz as created_at, null::timestamptz as last_accessed_at, null::jsonb as metadata,
        '-infinity'::timestamptz as place
      from matching where slash > 0
      union all
      select name, id, updated_at, created_at, last_accessed_at, metadata, ${time} from matching where slash = 0
    )
    select *, place::text as value from entries
    where $3::text is null or (place, name collate "C") ${beyond} ($4::timestamptz, $3)
    order by place ${order}, name collate "C" ${order} limit $5::integer`;
}

function toPage(rows: Row[], limit: number, prefix: string) {
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
      last && { nextCursor: writeCursor({ name: last.name as string, value: last.value as string }) }),
  };
}

/** The part of a name at the level of the prefix. */
function keyOf(name: string | null | undefined, prefix: string): string {
  const level = prefix.split("/").length - 1;
  return (name as string).split("/")[level] ?? "";
}

function writeCursor({ name, value }: Cursor): string {
  return Buffer.from(JSON.stringify([name, value])).toString("base64url");
}

const CursorText = v.tuple([v.string(), v.pipe(v.string(), v.regex(/^-infinity$|^[\d .:+-]+$/))]);

function readCursor(text: string): Cursor {
  try {
    const [name, value] = v.parse(CursorText, JSON.parse(Buffer.from(text, "base64url").toString()));
    if (!name.includes("\0")) return { name, value };
  } catch {}
  throw invalidRequest("Invalid cursor");
}
