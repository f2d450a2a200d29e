import type { ItemPatch } from "#app/routes/admin/items/admin-item-queries.ts";
import type { FormTexts } from "./item-texts.ts";

/** An attempt to save an item, which may be stored although its answer was lost. */
export type SentEdit = {
  texts: FormTexts;
  /** What the item holds if the attempt is stored. */
  columns: ItemPatch;
};

/** What the database moves or drops along with a value if the edit leaves it as it was. */
const FOLLOWING = {
  current_value: ["previous_value", "current_low", "current_high"],
  permanent_value: ["permanent_previous_value", "permanent_low", "permanent_high"],
} as const;

export function sentEdit(before: FormTexts, texts: FormTexts, patch: ItemPatch): SentEdit {
  const { change_reason: _, ...columns } = patch;
  for (const [value, following] of Object.entries(FOLLOWING)) {
    if (texts[value] === before[value]) continue;
    for (const column of following) if (texts[column] === before[column]) delete columns[column];
  }
  return { texts, columns };
}

/** What to write over a stored attempt: only what was typed since. */
export function sinceSent<Patch extends ItemPatch>(
  patch: Patch,
  { texts: sent }: SentEdit,
  texts: FormTexts,
): Patch {
  const same = Object.keys(patch).filter(
    (column) => column !== "slug" && column in sent && texts[column] === sent[column],
  );
  return Object.fromEntries(Object.entries(patch).filter(([column]) => !same.includes(column))) as Patch;
}
