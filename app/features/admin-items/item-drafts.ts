import type { FormTexts } from "./item-texts.ts";

/** What was typed and not saved yet, with what it was typed over: `base` is null for a new item. */
export type ItemDraft = { texts: FormTexts; base: { updated_at: string; texts: FormTexts } | null };

const PREFIX = "adminItemDraft:";

/** The draft of an item, or of the new one; kept in this browser until it is saved or cancelled. */
export function findDraft(key: string): ItemDraft | null {
  try {
    const draft = JSON.parse(localStorage.getItem(PREFIX + key) ?? "null");
    return typeof draft?.texts === "object" ? draft : null;
  } catch {
    return null;
  }
}

export function keepDraft(key: string, draft: ItemDraft): void {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(draft));
  } catch {
    // A browser that keeps nothing still has the form itself.
  }
}

export function dropDraft(key: string): void {
  localStorage.removeItem(PREFIX + key);
}

/** The items that have a draft, and `new`. */
export function listDrafts(): string[] {
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => key.slice(PREFIX.length));
}
