import { expect, test } from "vitest";
import { PUBLIC_PAGES } from "#app/routes/sitemap/sitemap-xml.ts";
import routes from "#app/routes.ts";

/** Pages that show nothing to a stranger, or only to developers: never listed (P31). */
const UNLISTED = ["account", "admin", "auth", "chat", "gallery", "history", "oauth/consent"];

test("the sitemap lists each public page of the routes, and no other", () => {
  const paths = routes.map(({ path = "" }) => path);
  const pages = paths.filter((path) => !/[:*.]/.test(path) && !UNLISTED.includes(path));
  expect([...PUBLIC_PAGES].sort()).toEqual(pages.map((path) => `/${path}`).sort());
});
