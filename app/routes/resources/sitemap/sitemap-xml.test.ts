import { expect, test } from "vitest";
import { PUBLIC_PAGES } from "#app/features/site/public-pages.ts";
import { sitemapXml } from "./sitemap-xml.ts";

const items = [
  { slug: "kitsune", updated_at: "2026-11-01T10:00:00.5+00:00" },
  { slug: "control", updated_at: "2026-11-20T23:30:00-02:00" },
];
const xml = sitemapXml("https://values.example", items);

test("every item is in the sitemap with the date of its last edit", () => {
  expect(xml).toContain(
    "<url><loc>https://values.example/fruits/kitsune</loc><lastmod>2026-11-01T10:00:00.500Z</lastmod></url>",
  );
});

test("the list's date is that of its newest item, in whatever time zone it is written", () => {
  expect(xml).toContain(
    "<loc>https://values.example/values</loc><lastmod>2026-11-21T01:30:00.000Z</lastmod>",
  );
});

test("a page without a known date has none", () => {
  expect(xml).toContain("<url><loc>https://values.example/about</loc></url>");
});

test("an empty catalogue leaves the public pages, the list without a date", () => {
  expect(sitemapXml("https://values.example", []).match(/<url>/g)).toHaveLength(PUBLIC_PAGES.length);
  expect(sitemapXml("https://values.example", [])).not.toContain("lastmod");
});

test("an address with an ampersand is escaped", () => {
  expect(sitemapXml("https://values.example", [{ slug: "a&b", updated_at: "2026-11-01" }])).toContain(
    "/fruits/a&amp;b<",
  );
});
