import { expect, test } from "vitest";
import { freeName } from "./free-name.ts";

test("a taken name gets the first free number", () => {
  expect(freeName("Key", [])).toBe("Key");
  expect(freeName("Key", ["Key", undefined])).toBe("Key 2");
  expect(freeName("Key", ["Key 2", "Key", "Key 4"])).toBe("Key 3");
});
