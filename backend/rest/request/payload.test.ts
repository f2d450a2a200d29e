import { expect, test } from "vitest";
import { parseMediaType } from "#backend/http/media-type.ts";
import { limits } from "../query/limits.ts";
import { readRows } from "./payload.ts";

const read = (text: string) => readRows(Buffer.from(text), parseMediaType("application/json"), null);
/** As deep as a body may be. */
const deep = "[".repeat(limits.jsonDepth);

test.each([
  ['[{"a":{"b":[]}}]', ["a"]],
  [`[{"a":"${deep}"}]`, ["a"]],
  [`[{"a":"\\"${deep}"}]`, ["a"]],
  [`[{"a":"\\\\","b":"\\\\\\"${deep}"}]`, ["a", "b"]],
  ['[{"":""}]', [""]],
])("%s is shallow: brackets in strings add no depth", (text, columns) => {
  expect(read(text).columns).toEqual(columns);
});

test.each([`[${deep}`, `[{"a":"\\\\","b":${deep}`, `${"[".repeat(1_000_000)}`])(
  "too deep nesting is refused before parsing",
  (text) => {
    expect(() => read(text)).toThrow("The JSON body is nested too deep");
  },
);

test.each(['[{"a":"', '[{"a":"\\"', '"\\', "["])("%s is unterminated and refused", (text) => {
  expect(() => read(text)).toThrow("Empty or invalid json");
});
