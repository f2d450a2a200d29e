import { readKept } from "./kept.ts";
import type { KeptName } from "./kept-keys.ts";

/** What is kept as JSON; null where nothing is, or it cannot be read. */
export function readKeptJson(name: KeptName, of = ""): unknown {
  try {
    return JSON.parse(readKept(name, of) ?? "null");
  } catch {
    return null;
  }
}
