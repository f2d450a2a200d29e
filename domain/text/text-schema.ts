import * as v from "valibot";
import { lengthOf } from "./limits.ts";

/** For a schema: so many characters at most, as the limits count them. */
export function atMost(max: number, sentence = `At most ${max} characters`) {
  return v.check<string, string>((text) => lengthOf(text) <= max, sentence);
}

/** A typed text that must hold something besides white space; `missing` and `tooLong` are the sentences that it is refused by. */
export function neededText(max: number, missing: string, tooLong?: string) {
  return v.pipe(v.string(missing), v.trim(), v.nonEmpty(missing), atMost(max, tooLong));
}
