import type * as v from "valibot";
import { readBody } from "#backend/http/read-body.ts";
import { parseInput } from "../parse-input.ts";
import { invalidRequest, tooLarge } from "../storage-error.ts";
import { bodyOf } from "./body-of.ts";
import type { Call } from "./call.ts";

const MAX_BYTES = 1_000_000;

/**
 * The JSON body, validated by `schema`; members not in the schema are dropped.
 * @throws StorageError 400, 413 beyond 1 MB
 */
export async function readJson<Schema extends v.GenericSchema>(
  { request }: Call,
  schema: Schema,
): Promise<v.InferOutput<Schema>> {
  const body = await readBody(bodyOf(request), MAX_BYTES);
  if ("limit" in body) throw tooLarge();
  return parseInput(schema, parse(body), "body");
}

function parse(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return {};
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return JSON.parse(text, (key, value) => {
      if (key.includes("\0") || (typeof value === "string" && value.includes("\0"))) throw new Error("NUL");
      return value;
    });
  } catch {
    throw invalidRequest("Body is not valid JSON");
  }
}
