import { KEPT, type KeptName } from "./kept-keys.ts";

// The only access to browser storage. If storage is full or blocked, nothing is stored and nothing fails: the page
// still holds the value.

/** Reads a stored value; `of` distinguishes several under one name. Null if there is none. */
export function readKept(name: KeptName, of = ""): string | null {
  try {
    return storageOf(name).getItem(KEPT[name].key + of);
  } catch {
    return null;
  }
}

/** Whether this browser allows the site to store anything at all. */
export function mayKeep(): boolean {
  try {
    return Boolean(localStorage);
  } catch {
    return false;
  }
}

/** Stores a text; null or empty removes it. */
export function writeKept(name: KeptName, text: string | null, of = ""): void {
  try {
    if (text) storageOf(name).setItem(KEPT[name].key + of, text);
    else storageOf(name).removeItem(KEPT[name].key + of);
  } catch {
    // Storage is full or blocked.
  }
}

/** The values of `of` that are stored under a name. */
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

/** Reads a JSON value; null if there is none or it cannot be parsed. */
export function readKeptJson(name: KeptName, of = ""): unknown {
  try {
    return JSON.parse(readKept(name, of) ?? "null");
  } catch {
    return null;
  }
}
