import { expect, test } from "vitest";
import { parseMediaType } from "#backend/http/media-type.ts";
import { defaultLimits } from "../query/limits.ts";
import { readRows } from "./payload.ts";

const limits = { ...defaultLimits, jsonDepth: 4 };
const read = (text: string) => readRows(Buffer.from(text), parseMediaType("application/json"), null, limits);

test.each([
  ['[{"a":{"b":[]}}]', ["a"]],
  ['[{"a":"[[[[[["}]', ["a"]],
  ['[{"a":"\\"[[[[[["}]', ["a"]],
  ['[{"a":"\\\\","b":"\\\\\\"{{{{{{"}]', ["a", "b"]],
  ['[{"":""}]', [""]],
])("%s is shallow: brackets in strings add no depth", (text, columns) => {
  expect(read(text).columns).toEqual(columns);
});

test.each(['[{"a":{"b":[[]]}}]', '[{"a":"\\\\","b":{"c":[[]]}}]', `${"[".repeat(1_000_000)}`])(
  "too deep nesting is refused before parsing",
  (text) => {
    expect(() => read(text)).toThrow("The JSON body is nested too deep");
  },
);

test.each(['[{"a":"', '[{"a":"\\"', '"\\', "["])("%s is unterminated and refused", (text) => {
  expect(() => read(text)).toThrow("Empty or invalid json");
});
