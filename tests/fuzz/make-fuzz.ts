import { Chance } from "#tests/helpers/chance.ts";
import type { Fuzz } from "./fuzz-request.ts";
import { fuzzAuth } from "./services/auth.ts";
import { fuzzFunctions } from "./services/functions.ts";
import { fuzzPages } from "./services/pages.ts";
import { fuzzRealtime } from "./services/realtime.ts";
import { fuzzRest, type Schema } from "./services/rest.ts";
import { fuzzStorage } from "./services/storage.ts";

export type ServiceName = "rest" | "auth" | "storage" | "realtime" | "functions" | "pages";

/** One request of a run, by its number. */
export type Planned = { service: ServiceName; index: number; fuzz: Fuzz };

/** In rotation; the largest grammar gets the most turns. */
export const TURNS: readonly ServiceName[] = [
  "rest",
  "pages",
  "auth",
  "rest",
  "storage",
  "realtime",
  "rest",
  "pages",
  "auth",
  "rest",
  "storage",
  "functions",
];

/** Which service the request with this number goes to. */
export function serviceOf(index: number, only: readonly ServiceName[]): ServiceName {
  const turns = only.length > 0 ? TURNS.filter((name) => only.includes(name)) : TURNS;
  return turns[index % turns.length] as ServiceName;
}

/** The same seed, service and number give the same request. */
export function makeFuzz(seed: number, service: ServiceName, index: number, schema: Schema): Fuzz {
  const chance = new Chance(hash(`${seed} ${service} ${index}`));
  if (service === "rest") return fuzzRest(chance, schema);
  if (service === "auth") return fuzzAuth(chance);
  if (service === "storage") return fuzzStorage(chance);
  if (service === "realtime") return fuzzRealtime(chance);
  return service === "functions" ? fuzzFunctions(chance) : fuzzPages(chance);
}

/** FNV-1a with an extra mixing step, so that neighboring inputs have nothing in common. */
function hash(text: string): number {
  let state = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  return Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
}
