import { expect, test } from "vitest";
import routes from "#app/routes.ts";
import { subjectOf } from "#server/pages/page-subject.ts";

/** Pages that the server renders without traders and ratings; what some show of them, the browser asks for. */
const OF_THE_CATALOGUE = [
  "",
  "*",
  "about",
  "account",
  "admin",
  "ads/frame/:placement",
  "appeal",
  "auth",
  "calculator",
  "changes",
  "chat",
  "contact",
  "feeds/changes.atom",
  "feeds/changes.json",
  "fruits/:slug",
  "history",
  "manifest.webmanifest",
  "method",
  "oauth/consent",
  "offline",
  "parents",
  "parents/consent",
  "privacy",
  "robots.txt",
  "safety",
  "share.png",
  "share/fruits/:file",
  "share/trade.png",
  "sitemap.xml",
  "terms",
  "values",
  "values/found.json",
];

test("a page is taken to show no trader only if it is named here", async () => {
  const paths = (await routes).map(({ path = "" }) => path);
  const ofTheCatalogue = paths.filter((path) => subjectOf(`/${path}`) === "catalogue");
  expect(ofTheCatalogue.toSorted()).toEqual(OF_THE_CATALOGUE);
  expect(paths.filter((path) => subjectOf(`/${path}`) === "community")).toEqual([
    "community",
    "community/:username",
  ]);
});
