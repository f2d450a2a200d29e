import type { ImportRow } from "#domain/items/item-import.ts";

/** What is sent for the lines that do something: whole items, each with the state that it was compared with. */
export function toChanges(rows: readonly ImportRow[]): object[] {
  return rows.flatMap((row) => {
    if (row.kind === "new") return [row.item];
    if (row.kind !== "changed") return [];
    return [{ ...row.item, id: row.stored.id, updated_at: row.stored.updated_at }];
  });
}
