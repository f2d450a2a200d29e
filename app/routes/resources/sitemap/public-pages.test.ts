import { expect, test } from "vitest";
import { PUBLIC_PAGES } from "#app/features/site/public-pages.ts";
import routes from "#app/routes.ts";

/** Pages that show nothing to visitors, or only to developers: never listed (P31). */
const UNLISTED = [
  "account",
  "admin",
  "appeal",
  "auth",
  "chat",
  "gallery",
  "history",
  "oauth/consent",
  "offline",
  "parents/consent",
];

test("the sitemap lists each public page of the routes, and no other", () => {
  const paths = routes.map(({ path = "" }) => path);
  const pages = paths.filter((path) => !/[:*.]/.test(path) && !UNLISTED.includes(path));
  expect(PUBLIC_PAGES.map(({ path }) => path).sort()).toEqual(pages.map((path) => `/${path}`).sort());
});
