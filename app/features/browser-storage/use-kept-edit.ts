import { useCallback, useEffect } from "react";
import { readKeptJson, writeKept } from "./kept.ts";

/**
 * Keeps an unsaved edit in this tab until it is saved or discarded: across a reload, a navigation away and back, or a
 * session that ends; null while there is nothing unsaved. `of` identifies the form, its subject and its user. For forms
 * with choices, or that edit a version, which `useKeptTexts` does not suit. Returns a function that discards it.
 */
export function useKeptEdit(of: string, edit: object | null): () => void {
  const text = edit && JSON.stringify(edit);
  useEffect(() => writeKept("typedTexts", text, of), [of, text]);
  return useCallback(() => writeKept("typedTexts", null, of), [of]);
}

/** The edit that was kept; null if there is none. */
export const findKeptEdit = (of: string) => readKeptJson("typedTexts", of);
