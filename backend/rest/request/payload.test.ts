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

const readCsv = (text: string) =>
  JSON.parse(readRows(Buffer.from(text), parseMediaType("text/csv"), null).json);

test.each([
  ['a,b\r\n"x ""y"", z",NULL\n', [{ a: 'x "y", z', b: null }]],
  ['a\n"x\r\ny"\n', [{ a: "x\r\ny" }]],
  ["a\r1\n2\r\n3", [{ a: "1" }, { a: "2" }, { a: "3" }]],
  ['\n\na\r\n\r\n""\n\n', [{ a: "" }]],
  [" a ,b\n 1 ,", [{ " a ": " 1 ", b: "" }]],
])("CSV with quotes, any line breaks or empty lines is read: %j", (text, rows) => {
  expect(readCsv(text)).toEqual(rows);
});

test.each(['a\n"x', 'a\nx"y"', 'a\n"x"y', 'a\n"x" ,'])(
  "CSV with a misplaced quote is refused: %j",
  (text) => {
    expect(() => readCsv(text)).toThrow("The CSV body has a quote in a wrong place");
  },
);

test.each(["x", '""'])("a quoted CSV field may be as long as a body: full of %s", (piece) => {
  const field = piece.repeat(10_000_000 / piece.length);
  expect(readCsv(`a\n"${field}"\n`)[0].a.length).toBe(10_000_000 / piece.length);
});
