import { listKept, writeKept } from "#app/features/browser-storage/kept.ts";
import { readKeptJson } from "#app/features/browser-storage/kept-json.ts";
import type { FormTexts } from "./item-texts.ts";

/** What was typed and not saved yet, with what it was typed over: `base` is null for a new item. */
export type ItemDraft = { texts: FormTexts; base: { updated_at: string; texts: FormTexts } | null };

/** The draft of an item, or of the new one; kept in this browser until it is saved or cancelled. */
export function findDraft(key: string): ItemDraft | null {
  const draft = readKeptJson("adminItemDraft", key) as ItemDraft | null;
  return typeof draft?.texts === "object" ? draft : null;
}

export function keepDraft(key: string, draft: ItemDraft): void {
  writeKept("adminItemDraft", JSON.stringify(draft), key);
}

export function dropDraft(key: string): void {
  writeKept("adminItemDraft", null, key);
}

/** The items that have a draft, and `new`. */
export function listDrafts(): string[] {
  return listKept("adminItemDraft");
}
