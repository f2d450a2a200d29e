import * as v from "valibot";
import type { HttpRequest } from "#backend/http/http-message.ts";
import { wholeBody } from "#backend/http/whole-body.ts";
import { findRepeated } from "./find-repeated.ts";

const Texts = v.record(v.string(), v.nullish(v.string(), ""));

/** Thrown for a malformed body. */
export class FormFault extends Error {}

/**
 * Reads a form body, or JSON if the content type says so; each field may occur once (RFC 6749 §3.2).
 * @throws FormFault
 */
export function readForm(request: HttpRequest): Record<string, string> {
  const body = wholeBody(request, () => new FormFault("The body is too long"));
  const text = new TextDecoder().decode(body ?? new Uint8Array());
  const isJson = /^application\/json\b/i.test(request.headers["content-type"] ?? "");
  const fields = isJson ? readJson(text) : readPairs(text);
  const faulty = Object.keys(fields).find(
    (name) => fields[name]?.includes("\0") || !fields[name]?.isWellFormed(),
  );
  if (faulty !== undefined) throw new FormFault(`${faulty.slice(0, 50)} holds what is no text`);
  return fields;
}

function readPairs(text: string): Record<string, string> {
  const pairs = new URLSearchParams(text);
  const repeated = findRepeated(pairs);
  if (repeated !== undefined) throw new FormFault(`${repeated.slice(0, 50)} must not be repeated`);
  return Object.fromEntries(pairs);
}

function readJson(text: string): Record<string, string> {
  try {
    return v.parse(Texts, JSON.parse(text));
  } catch {
    throw new FormFault("Invalid JSON body");
  }
}
