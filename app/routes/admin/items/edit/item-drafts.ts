import { useEffect } from "react";
import { listKept, readKeptJson, writeKept } from "#app/features/browser-storage/kept.ts";
import { KEPT } from "#app/features/browser-storage/kept-keys.ts";
import { useKeptJson } from "#app/routes/admin/shared/use-kept-edit.ts";
import type { FormTexts } from "./item-texts.ts";
import type { SentEdit } from "./sent-edit.ts";

/** Unsaved input, and the texts it was typed over: `base` is null for a new item. */
export type ItemDraft = {
  texts: FormTexts;
  base: { updated_at: string; texts: FormTexts } | null;
  /** The reason for the change. */
  reason?: string;
  /** The attempts to save it. */
  sent?: readonly SentEdit[];
};

/** The draft of an item or of the new item; kept in this browser until it is saved or cancelled. */
export function findDraft(key: string): ItemDraft | null {
  const draft = readKeptJson("adminItemDraft", key) as ItemDraft | null;
  return typeof draft?.texts === "object" ? draft : null;
}

/**
 * Keeps what is typed; null while nothing is. Another tab keeps its own draft under the same key, and removes it when
 * it saves or cancels: then, and when this page is left, this tab's draft is stored again.
 */
export function useKeptDraft(key: string, draft: ItemDraft | null): void {
  const text = useKeptJson("adminItemDraft", key, draft);
  useEffect(() => {
    if (!text) return;
    const keep = () => writeKept("adminItemDraft", text, key);
    const look = (event: StorageEvent) => {
      if (event.key === KEPT.adminItemDraft.key + key && event.newValue === null) keep();
    };
    addEventListener("storage", look);
    addEventListener("pagehide", keep);
    return () => {
      removeEventListener("storage", look);
      removeEventListener("pagehide", keep);
    };
  }, [key, text]);
}

export function dropDraft(key: string): void {
  writeKept("adminItemDraft", null, key);
}

/** The items that have a draft, and `new`. */
export function listDrafts(): string[] {
  return listKept("adminItemDraft");
}
