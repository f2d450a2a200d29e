import { KEPT, type KeptName } from "./kept-keys.ts";

// The one door to the browser's storage. Where storage is full or forbidden nothing is kept, silently: what it would
// keep still stands in the page.

/** What is kept under a name, `of` telling apart what there are several of; null when nothing is. */
export function readKept(name: KeptName, of = ""): string | null {
  try {
    return storageOf(name).getItem(KEPT[name].key + of);
  } catch {
    return null;
  }
}

/** Whether this browser lets the site keep anything at all. */
export function mayKeep(): boolean {
  try {
    return Boolean(localStorage);
  } catch {
    return false;
  }
}

/** Keeps a text; null or an empty one takes away what was kept. */
export function writeKept(name: KeptName, text: string | null, of = ""): void {
  try {
    if (text) storageOf(name).setItem(KEPT[name].key + of, text);
    else storageOf(name).removeItem(KEPT[name].key + of);
  } catch {
    // Nothing to keep it in.
  }
}

/** Of what something is kept under a name. */
export function listKept(name: KeptName): string[] {
  const start = KEPT[name].key;
  try {
    const keys = Object.keys(storageOf(name));
    return keys.filter((key) => key.startsWith(start)).map((key) => key.slice(start.length));
  } catch {
    return [];
  }
}

function storageOf(name: KeptName): Storage {
  return "in" in KEPT[name] ? sessionStorage : localStorage;
}
