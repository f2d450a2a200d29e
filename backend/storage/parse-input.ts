import * as v from "valibot";
import { invalidRequest } from "./storage-error.ts";

/** Upstream's validator reads numbers and booleans from text, too, on which official clients rely: `"expiresIn": "60"`. */
export const numeric = v.pipe(
  v.unknown(),
  v.transform((value) => (typeof value === "string" && value.trim() !== "" ? Number(value) : value)),
  v.number(),
);
export const truth = v.pipe(
  v.unknown(),
  v.transform((value) => (value === "true" || value === "false" ? value === "true" : value)),
  v.boolean(),
);

/** Validates client input; members not in the schema are dropped. @throws StorageError 400 */
export function parseInput<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
  part: "body" | "querystring",
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, input);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw invalidRequest(`${part}/${v.getDotPath(issue) ?? ""} ${issue.message}`);
}
