import * as v from "valibot";
import { invalidRequest } from "./storage-error.ts";

/** What a client sent, as the schema describes it; members that it does not name are left out. @throws StorageError 400 */
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
