import * as v from "valibot";
import { expect, test, vi } from "vitest";
import { findKeptEdit } from "./use-kept-edit.ts";

test("an edit that an older release kept in another form counts as none", () => {
  const kept: Record<string, string> = {
    "typed:old by anna": '{"name":"Update 30"}',
    "typed:new by anna": '{"name":"Update 30","touched":["kitsune"]}',
    "typed:torn by anna": '{"name":',
  };
  vi.stubGlobal("sessionStorage", { getItem: (key: string) => kept[key] ?? null });
  const schema = v.object({ name: v.string(), touched: v.array(v.string()) });
  expect(findKeptEdit("old by anna", schema)).toBe(null);
  expect(findKeptEdit("torn by anna", schema)).toBe(null);
  expect(findKeptEdit("none by anna", schema)).toBe(null);
  expect(findKeptEdit("new by anna", schema)).toEqual({ name: "Update 30", touched: ["kitsune"] });
});
