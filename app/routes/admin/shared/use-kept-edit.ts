import { useCallback, useEffect } from "react";
import * as v from "valibot";
import { type Draft, readKeptJson, type Whose, writeKept } from "#app/features/browser-storage/kept.ts";
import type { KeptName } from "#app/features/browser-storage/kept-keys.ts";

/**
 * Keeps an unsaved edit in this tab until it is saved or discarded: across a reload, a navigation away and back, or a
 * session that ends; null while there is nothing unsaved. For forms
 * with choices, or that edit a version, which `useKeptTexts` does not suit. Returns a function that discards it.
 */
export function useKeptEdit(of: Draft, edit: object | null): () => void {
  useKeptJson("typedTexts", of, edit);
  return useCallback(() => writeKept("typedTexts", null, of), [of]);
}

/** The edit that was kept; null if there is none, or none of this form, such as one of an older release. */
export function findKeptEdit<Schema extends v.GenericSchema>(
  of: Draft,
  schema: Schema,
): v.InferInput<Schema> | null {
  const kept = readKeptJson("typedTexts", of);
  return v.is(schema, kept) ? kept : null;
}

/** Stores a value while it is not null, and removes it then; returns it as it is stored. */
export function useKeptJson<Name extends KeptName>(
  name: Name,
  of: Whose<Name>[0],
  value: object | null,
): string | null {
  const text = value && JSON.stringify(value);
  useEffect(() => writeKept<KeptName>(name, text, of), [name, of, text]);
  return text;
}
