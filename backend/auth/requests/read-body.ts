import * as v from "valibot";
import type { HttpRequest } from "#backend/http/http-message.ts";
import { wholeBody } from "#backend/http/whole-body.ts";
import { AuthError } from "../auth-error.ts";

/** No legitimate request is longer. */
export const MAX_BODY_BYTES = 2 ** 20;

/** Treats absent, null and empty alike. */
export const text = v.nullish(v.string(), "");
export const flag = v.nullish(v.boolean(), false);
export const json = v.nullish(v.record(v.string(), v.unknown()));

/**
 * Parses the body according to `fields`; other members are dropped. An empty body is no JSON, unless it is optional.
 * @throws AuthError 400 `bad_json`, 413 over 1 MiB
 */
export function readBody<Fields extends v.ObjectEntries>(
  request: HttpRequest,
  fields: v.ObjectSchema<Fields, undefined>,
  { isOptional = false } = {},
): v.InferOutput<v.ObjectSchema<Fields, undefined>> {
  const body = readBytes(request);
  const isEmpty = body === null || body.byteLength === 0;
  const value = isEmpty && isOptional ? {} : parseJson(body ?? new Uint8Array());
  // A list is an object, too, that has none of the members.
  const parsed = v.safeParse(fields, Array.isArray(value) ? null : value);
  if (parsed.success) return parsed.output;
  const path = v.getDotPath(parsed.issues[0]) ?? "the body";
  throw badJson(`${path} is not of the expected type`);
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body), refuseUnkeepable);
  } catch (cause) {
    throw cause instanceof AuthError ? cause : badJson("it is not JSON");
  }
}

/** PostgreSQL's `text` cannot store NUL or lone surrogates (RFC 8259 §8.2). */
function refuseUnkeepable(key: string, value: unknown): unknown {
  for (const text of [key, value]) {
    if (typeof text !== "string") continue;
    if (text.includes("\0")) throw badJson("a text holds a NUL character");
    if (!text.isWellFormed()) throw badJson("a text holds half a character");
  }
  return value;
}

/** @throws AuthError 413 over 1 MiB */
export function readBytes(request: HttpRequest): Uint8Array | null {
  return wholeBody(request, () => new AuthError(413, "request_entity_too_large", "Request body too large"));
}

function badJson(reason: string): AuthError {
  return new AuthError(400, "bad_json", `Could not parse request body as JSON: ${reason}`);
}
