import type { Item } from "#app/features/items/item-queries.ts";
import type { ImportRow } from "#domain/item-import.ts";

/** An import that was written: its lines, and the items as they are since. */
export type DoneImport = { rows: readonly ImportRow[]; written: readonly Item[] };

/** What is sent for the lines that do something: whole items, each with the state that it was compared with. */
export function toChanges(rows: readonly ImportRow[]): object[] {
  return rows.flatMap((row) => {
    if (row.kind === "new") return [row.item];
    if (row.kind !== "changed") return [];
    return [{ ...row.item, id: row.stored.id, updated_at: row.stored.updated_at }];
  });
}

/** What takes an import back: changed items as they were, new ones gone; refused when somebody edited them since. */
export function toUndo({ rows, written }: DoneImport): {
  changes: object[];
  removals: { id: string; updated_at: string; name: string }[];
} {
  const bySlug = new Map(written.map((item) => [item.slug, item]));
  const byId = new Map(written.map((item) => [item.id, item]));
  const changes = rows.flatMap((row) =>
    row.kind === "changed" ? [{ ...row.stored, updated_at: byId.get(row.stored.id)?.updated_at }] : [],
  );
  const removals = rows.flatMap((row) => {
    const item = row.kind === "new" ? bySlug.get(row.item.slug) : undefined;
    return item ? [{ id: item.id, updated_at: item.updated_at, name: item.name }] : [];
  });
  return { changes, removals };
}
