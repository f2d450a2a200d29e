import * as v from "valibot";
import { LIMITS } from "../text/limits.ts";
import { neededText } from "../text/text-schema.ts";

/** The appeal form. */
export const appealSchema = v.object({
  message: neededText(LIMITS.appeal.message.max, "Please say why it was wrong"),
});
