import * as v from "valibot";
import { lengthOf } from "./limits.ts";

/** Validates a maximum length, as counted by the limits. */
export function atMost(max: number, sentence = `At most ${max} characters`) {
  return v.check<string, string>((text) => lengthOf(text) <= max, sentence);
}

/** A required text that is not blank; `missing` and `tooLong` are the messages. */
export function neededText(max: number, missing: string, tooLong?: string) {
  return v.pipe(v.string(missing), v.trim(), v.nonEmpty(missing), atMost(max, tooLong));
}
