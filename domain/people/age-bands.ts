import * as v from "valibot";

/** The age groups to choose from, as the database names them. */
export const AGE_BANDS = [
  { value: "under-13", label: "Under 13" },
  { value: "13-15", label: "13 to 15" },
  { value: "16-17", label: "16 or 17" },
  { value: "18-or-older", label: "18 or older" },
] as const;

/** One of the groups; `missing` is the message if none is chosen. */
export const bandSchema = (missing: string) =>
  v.object({ band: v.pipe(v.optional(v.string(), ""), v.nonEmpty(missing)) });
