import { expect, test } from "vitest";
import { AVATAR_COLORS, drawingUrl, readDrawing } from "./avatar.ts";

test.each(AVATAR_COLORS)("a drawing before %s is read as it was written", (color) => {
  const picture = "/items/dragon.svg";
  expect(readDrawing(drawingUrl(picture, color))).toEqual({ picture, color });
});

test.each([
  null,
  "",
  "/items/dragon.svg",
  "/items/dragon.svg#",
  "/items/dragon.svg#blue;x",
  "//elsewhere.example/items/dragon.svg#teal",
  "/items/../dragon.svg#teal",
  "/storage/v1/object/public/avatars/a/b.png",
])("%j is no drawing", (url) => expect(readDrawing(url)).toBe(null));
