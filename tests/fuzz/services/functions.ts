import type { Chance } from "#tests/helpers/chance.ts";
import { type FuzzRequest, send, type Who } from "../fuzz-request.ts";
import { mutateRequest } from "../mutate.ts";
import { oddJson } from "../odd-values.ts";

const NAMES = ["contact", "contact", "contact/below", "nope", "contact%2f..", "README.md", ""];

/** Calls to existing and nonexistent functions. */
export function fuzzFunctions(chance: Chance): FuzzRequest {
  const who = chance.pick<Who>(["visitor", "Ana", "nobody", "forger", "server"]);
  // A call that gets through queries the database; a refused one costs nothing, and is what strangers send.
  const request = send(
    chance.pick(["POST", "POST", "GET", "PUT"]),
    `/functions/v1/${chance.pick(NAMES)}`,
    oddJson(chance),
    who,
  );
  if (request.method === "GET") delete request.body;
  return mutateRequest(chance, request);
}
