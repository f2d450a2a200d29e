import { expect, test } from "vitest";
import { read } from "#tests/helpers/visit.ts";

test("a built site contains neither the gallery's route nor its code", async () => {
  const { status, html } = await read("/gallery");
  expect(status).toBe(404);
  expect(html).toContain("Oops! Page not found");
  expect(html).not.toContain("routes/gallery");
});
