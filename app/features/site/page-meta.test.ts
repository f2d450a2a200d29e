import { expect, test } from "vitest";
import { canonicalUrl, fullTitle, type PageMetaInput, pageMeta, siteOf } from "./page-meta.ts";
import type { SiteConfig } from "./site-config.ts";

const site = {
  siteName: "Fruit Values",
  gameName: "Blox Fruits",
  siteUrl: "https://values.example",
} as SiteConfig;

function metaOf(input: Partial<PageMetaInput> = {}) {
  return pageMeta({
    site,
    path: "/values",
    title: "Item Values",
    description: "All values.",
    keywords: ["a", "b"],
    ...input,
  });
}

function contentOf(tags: ReturnType<typeof pageMeta>, key: string) {
  const tag = tags.find((each) => Object.values(each).includes(key) || key in each) as Record<
    string,
    unknown
  >;
  return tag?.content ?? tag?.href ?? tag?.[key];
}

function trailOf(tags: ReturnType<typeof pageMeta>) {
  const data = contentOf(tags, "script:ld+json") as { itemListElement: { name: string; item: string }[] };
  return data.itemListElement.map(({ name, item }) => [name, item]);
}

test("a title without the game's name gets the suffix", () => {
  expect(fullTitle("Item Values", "Blox Fruits")).toBe("Item Values | Blox Fruits Values");
});

test("a title with the game's name stays unchanged", () => {
  expect(fullTitle("Kitsune in Blox Fruits", "Blox Fruits")).toBe("Kitsune in Blox Fruits");
});

test("the canonical address is absolute, on the configured host, without query and fragment", () => {
  expect(canonicalUrl("https://values.example", "/values?q=a#b")).toBe("https://values.example/values");
  expect(canonicalUrl("https://values.example", "/")).toBe("https://values.example/");
});

test("social tags agree with title, description and canonical address", () => {
  const tags = metaOf();
  expect(contentOf(tags, "title")).toBe("Item Values | Blox Fruits Values");
  for (const key of ["og:title", "twitter:title"])
    expect(contentOf(tags, key)).toBe(contentOf(tags, "title"));
  for (const key of ["og:description", "twitter:description"])
    expect(contentOf(tags, key)).toBe("All values.");
  expect(contentOf(tags, "og:url")).toBe("https://values.example/values");
  expect(contentOf(tags, "canonical")).toBe("https://values.example/values");
  expect(contentOf(tags, "og:type")).toBe("website");
  expect(contentOf(tags, "og:site_name")).toBe("Fruit Values");
});

test("robots and keywords are on every page", () => {
  expect(contentOf(metaOf(), "robots")).toBe("index, follow");
  expect(contentOf(metaOf(), "keywords")).toBe("a, b");
});

test("a page without its own preview uses the site's; each is a large card with size and alternative text", () => {
  expect(contentOf(metaOf(), "og:image")).toBe("https://values.example/share.png");
  const preview = { path: "/share/fruits/kitsune.png?v=1", alt: "Kitsune: 640M" };
  const item = metaOf({ preview });
  expect(contentOf(item, "og:image")).toBe("https://values.example/share/fruits/kitsune.png?v=1");
  expect(contentOf(item, "twitter:image")).toBe(contentOf(item, "og:image"));
  expect(contentOf(item, "og:image:alt")).toBe("Kitsune: 640M");
  expect([contentOf(item, "og:image:width"), contentOf(item, "og:image:height")]).toEqual(["1200", "630"]);
  expect(contentOf(item, "twitter:card")).toBe("summary_large_image");
});

test("a shared trade's og:url has its query, which parsers read; the canonical address has none", () => {
  const trade = metaOf({ path: "/calculator", sharedQuery: "?you=kitsune&them=dough" });
  expect(contentOf(trade, "og:url")).toBe("https://values.example/calculator?you=kitsune&them=dough");
});

test("the breadcrumb leads from the home page through its steps to the page", () => {
  const kitsune = { name: "Kitsune", path: "/fruits/kitsune" };
  const values = { name: "Item Values", path: "/values" };
  expect(trailOf(metaOf({ path: kitsune.path, breadcrumbs: [values, kitsune] }))).toEqual([
    ["Fruit Values", "https://values.example/"],
    ["Item Values", "https://values.example/values"],
    ["Kitsune", "https://values.example/fruits/kitsune"],
  ]);
});

test("a page without steps stands under its own title below the home page", () => {
  expect(trailOf(metaOf()).at(-1)).toEqual(["Item Values", "https://values.example/values"]);
});

test("the home page has no breadcrumb", () => {
  expect(contentOf(metaOf({ path: "/" }), "script:ld+json")).toBeUndefined();
});

test("the site's configuration is read from the root's data, and its absence throws", () => {
  expect(siteOf([{ id: "root", loaderData: { site } }])).toBe(site);
  expect(() => siteOf([{ id: "routes/values/route" }])).toThrow("root loader");
});
