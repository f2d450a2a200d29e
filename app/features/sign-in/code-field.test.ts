import * as v from "valibot";
import { expect, test } from "vitest";
import { codeSchema } from "./code-field.tsx";

test.each(["123 456", "\u200e123456\u200b", "١٢٣٤٥٦", "१२३४५६"])(
  "the code %j is read as its six digits, whatever came along and whichever keyboard typed it",
  (code) => expect(v.parse(codeSchema, { code })).toEqual({ code: "123456" }),
);
