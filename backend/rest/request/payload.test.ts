import { CsvError, parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseMediaType } from "#backend/http/media-type.ts";
import { ApiError } from "../api-error.ts";
import { limits } from "../query/limits.ts";
import { csvRecords } from "./csv.ts";
import { readCallBody, readRows } from "./payload.ts";

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

test("CSV is read as csv-parse reads it", () => {
  const piece = fc.constantFrom('"', '""', ",", "\r", "\n", "\r\n", "a", " ", "é");
  const options = {
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    skip_empty_lines: true,
  };
  const attempt = (read: () => unknown, refusal: new (...given: never[]) => Error) => {
    try {
      return read();
    } catch (error) {
      if (error instanceof refusal) return "refused";
      throw error;
    }
  };
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const text = pieces.join("");
      const expected = attempt(() => parse(text, options), CsvError);
      expect(attempt(() => [...csvRecords(text)], ApiError)).toEqual(expected);
    }),
    { numRuns: 3000 },
  );
});

test.each([
  ["text/csv", `${"a".repeat(200_000)}\n${"1\n".repeat(1000)}`, "The request body is too large"],
  ["text/csv", `${"a,".repeat(limits.columns)}\n"`, "The query is too complex"],
  ["application/x-www-form-urlencoded", "a&".repeat(limits.formPairs), "The query is too complex"],
])("%s that would be far longer as JSON, or in parts, is refused before it is", (type, text, refusal) => {
  expect(() => readCallBody(Buffer.from(text), parseMediaType(type), null)).toThrow(refusal);
  expect(() => readRows(Buffer.from(text), parseMediaType(type), null)).toThrow(refusal);
});
