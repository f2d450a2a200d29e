import { type Draft, readKeptJson, writeKept } from "#app/features/browser-storage/kept.ts";
import { KEPT } from "#app/features/browser-storage/kept-keys.ts";
import { currentSession } from "#app/features/session/session-store.ts";
import type { CellKey, Edit, Edits } from "./model/edits.ts";
import { type GridFilter, readFilter } from "./model/filter.ts";

// What the grid keeps in this browser until it is published or discarded: unsaved cells, the text being typed, the
// reason for publishing, and saved filters.

const isText = (value: unknown): value is string => typeof value === "string";

export function readEdits(): Edits {
  const stored = readKeptJson("adminGrid", "cells");
  const pairs = Array.isArray(stored) ? (stored as [CellKey, Edit][]) : [];
  return new Map(pairs.filter((pair) => isText(pair?.[0]) && isText(pair[1]?.text) && isText(pair[1].was)));
}

export function keepEdits(edits: Edits): void {
  writeKept("adminGrid", edits.size > 0 ? JSON.stringify([...edits]) : null, "cells");
}

/** Calls back when another tab of this browser stored other cells; returns a stop function. */
export function followEdits(changed: (edits: Edits) => void): () => void {
  const look = ({ key }: StorageEvent) => {
    if (key === `${KEPT.adminGrid.key}cells`) changed(readEdits());
  };
  addEventListener("storage", look);
  return () => removeEventListener("storage", look);
}

const typedBy = (): Draft => `grid by ${currentSession().session?.user.id}`;

/** The cell being typed into in this tab, and its text so far; small, since it is stored on every keystroke. */
export type Typing = { key: CellKey; text: string };

export function takeTyping(): Typing | null {
  const stored = readKeptJson("typedTexts", typedBy()) as Typing | null;
  keepTyping(null);
  return isText(stored?.key) && isText(stored.text) ? stored : null;
}

export function keepTyping(typing: Typing | null): void {
  writeKept("typedTexts", typing && JSON.stringify(typing), typedBy());
}

/** The reason for publishing. */
export type Reason = { code: string; note: string; evidence: string };

export function readReason(): Reason {
  const { code, note, evidence } = (readKeptJson("adminGrid", "reason") ?? {}) as Partial<Reason>;
  return {
    code: isText(code) ? code : "",
    note: isText(note) ? note : "",
    evidence: isText(evidence) ? evidence : "",
  };
}

export function keepReason(reason: Reason | null): void {
  writeKept("adminGrid", reason && JSON.stringify(reason), "reason");
}

export type SavedFilter = { name: string; filter: GridFilter };

export function readFilters(): SavedFilter[] {
  const stored = readKeptJson("adminGrid", "filters");
  const list = Array.isArray(stored) ? (stored as Partial<SavedFilter>[]) : [];
  return list.flatMap((each) =>
    isText(each?.name) ? [{ name: each.name, filter: readFilter(each.filter) }] : [],
  );
}

export function keepFilters(filters: readonly SavedFilter[]): void {
  writeKept("adminGrid", filters.length > 0 ? JSON.stringify(filters) : null, "filters");
}
