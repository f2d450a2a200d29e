import * as v from "valibot";
import type { Faults, FormReading } from "./use-admin-form.ts";

/** Reads texts by a schema: the first sentence of each field that was refused, in the schema's order. */
export function parseForm<Schema extends v.GenericSchema<Record<string, unknown>, unknown>>(
  schema: Schema,
  texts: Record<string, unknown>,
): FormReading<v.InferOutput<Schema>> {
  const result = v.safeParse(schema, texts);
  if (result.success) return { input: result.output };
  const faults: Faults = {};
  for (const issue of result.issues) {
    const field = String(issue.path?.[0]?.key ?? "");
    faults[field] ??= issue.message;
  }
  return { faults };
}
