import * as v from "valibot";
import { LIMITS, lengthOf } from "../text/limits.ts";

const { max } = LIMITS.appeal.message;

/** An appeal as it is typed. */
export const appealSchema = v.object({
  message: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty("Please say why it was wrong"),
    v.check((text) => lengthOf(text) <= max, `At most ${max} characters`),
  ),
});
