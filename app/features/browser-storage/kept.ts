import { KEPT, type KeptName } from "./kept-keys.ts";

// The only access to browser storage. If storage is full or blocked, nothing is stored and nothing fails: the page
// still holds the value.

/**
 * A text that was typed, and whose it is, such as `contact by ${userId}`: whoever uses the tab next must not find it in
 * their form.
 */
export type Draft = `${string} by ${string}`;

/** What distinguishes several values under one name; of typed texts, who typed them is never left out. */
export type Whose<Name extends KeptName> = Name extends "typedTexts" ? [of: Draft] : [of?: string];

/** Reads a stored value. Null if there is none. */
export function readKept<Name extends KeptName>(name: Name, ...whose: Whose<Name>): string | null;
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
export function writeKept<Name extends KeptName>(
  name: Name,
  text: string | null,
  ...whose: Whose<Name>
): void;
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
export function readKeptJson<Name extends KeptName>(name: Name, ...whose: Whose<Name>): unknown;
export function readKeptJson(name: KeptName, of?: string): unknown {
  try {
    return JSON.parse(readKept<KeptName>(name, of) ?? "null");
  } catch {
    return null;
  }
}
