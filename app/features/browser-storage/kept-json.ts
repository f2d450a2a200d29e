import { readKept } from "./kept.ts";
import type { KeptName } from "./kept-keys.ts";

/** Reads a JSON value; null if there is none or it cannot be parsed. */
export function readKeptJson(name: KeptName, of = ""): unknown {
  try {
    return JSON.parse(readKept(name, of) ?? "null");
  } catch {
    return null;
  }
}
