import { expect, test } from "vitest";
import { judgeImage } from "./image-type.ts";

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const PNG = bytes("\x89PNG\r\n\x1a\n");
const MEBIBYTES_5 = 5 * 1024 * 1024;

test.each([
  ["an SVG", '<svg xmlns="http://www.w3.org/2000/svg">'],
  ["a PDF", "%PDF-1.7"],
  ["HTML", "<!doctype html>"],
  ["nothing", ""],
  ["a sound in the same wrapping as WebP", "RIFF1234WAVEfmt "],
])("%s is refused", (_, text) => {
  expect(judgeImage(10, bytes(text))).toEqual({
    refusal: { title: "Invalid File Type", description: "Only JPG, PNG, WEBP, and GIF images are allowed" },
  });
});

test("a byte more than 5 MiB is refused, 5 MiB are not", () => {
  expect(judgeImage(MEBIBYTES_5 + 1, PNG)).toEqual({
    refusal: { title: "File Too Large", description: "Image must be less than 5MB" },
  });
  expect(judgeImage(MEBIBYTES_5, PNG)).toEqual({ type: "image/png" });
});

test.each([
  ["image/jpeg", "\xff\xd8\xff\xe0"],
  ["image/webp", "RIFF1234WEBPVP8 "],
  ["image/gif", "GIF89a"],
  ["image/gif", "GIF87a"],
])("%s is known by its first bytes", (type, text) => expect(judgeImage(10, bytes(text))).toEqual({ type }));
