import * as v from "valibot";
import { invalidRequest } from "./storage-error.ts";

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
