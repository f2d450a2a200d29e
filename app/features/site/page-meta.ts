import type { MetaDescriptor } from "react-router";
import type { SiteConfig } from "./site-config.ts";

type Breadcrumb = { name: string; path: string };

export type PageMetaInput = {
  site: SiteConfig;
  /** The page's own path, such as `/fruits/kitsune`; its query and fragment are left out of the canonical address. */
  path: string;
  title: string;
  description: string;
  keywords: readonly string[];
  /** The preview image of a shared link, 1200 × 630, and its alternative text. Default: the site's. */
  preview?: { path: string; alt: string };
  /** The query of a shared trade, for which the path alone is not enough. */
  sharedQuery?: string;
  /** The steps from the home page (not included) to this page. Default: this page by its title. */
  breadcrumbs?: readonly Breadcrumb[];
};

/** Drawn by routes/resources/previews, like all previews. */
const SITE_PREVIEW = "/share.png";

/**
 * All head tags of a page: title, description, keywords, robots, canonical link, Open Graph, Twitter card and
 * breadcrumb data. Returned by a route's `meta`, so that a client-side navigation produces the same head as a full
 * load. Clauses 2.head.01 to 2.head.08; robots on every page by P31.
 */
export function pageMeta(input: PageMetaInput): MetaDescriptor[] {
  const { site, description } = input;
  const title = fullTitle(input.title, site.gameName);
  const url = canonicalUrl(site.siteUrl, input.path);
  const preview = input.preview ?? { path: SITE_PREVIEW, alt: `${site.siteName}: ${site.gameName} values` };
  const image = new URL(preview.path, site.siteUrl).href;
  return [
    { title },
    { name: "description", content: description },
    { name: "keywords", content: input.keywords.join(", ") },
    { name: "robots", content: "index, follow" },
    { tagName: "link", rel: "canonical", href: url },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { property: "og:type", content: "website" },
    // Parsers read this address instead of the one they were given.
    { property: "og:url", content: url + (input.sharedQuery ?? "") },
    { property: "og:image", content: image },
    { property: "og:image:type", content: "image/png" },
    { property: "og:image:width", content: "1200" },
    { property: "og:image:height", content: "630" },
    { property: "og:image:alt", content: preview.alt },
    { property: "og:site_name", content: site.siteName },
    { name: "twitter:card", content: "summary_large_image" },
    { name: "twitter:title", content: title },
    { name: "twitter:description", content: description },
    { name: "twitter:image", content: image },
    ...breadcrumbData(input),
  ];
}

type Matches = readonly ({ id: string; loaderData?: unknown } | undefined)[];

/** The `meta` of a route whose head depends only on the site. */
export function metaOf(describe: (site: SiteConfig) => Omit<PageMetaInput, "site">) {
  return ({ matches }: { matches: Matches }): MetaDescriptor[] => {
    const site = siteOf(matches);
    return pageMeta({ site, ...describe(site) });
  };
}

/** The title, with ` | {game name} Values` if it lacks the game's name (2.head.02). */
export function fullTitle(title: string, gameName: string): string {
  return title.includes(gameName) ? title : `${title} | ${gameName} Values`;
}

/** The absolute address of a path on the configured host, without query and fragment (2.head.07). */
export function canonicalUrl(siteUrl: string, path: string): string {
  return siteUrl + (path.split(/[?#]/, 1)[0] || "/");
}

/** The site's configuration inside a route's `meta`, where hooks are not available: from the root loader's data. */
export function siteOf(matches: Matches): SiteConfig {
  const root = matches.find((match) => match?.id === "root")?.loaderData as { site: SiteConfig } | undefined;
  if (!root)
    throw new Error("The root loader's data is missing: a route's meta needs the site's configuration");
  return root.site;
}

function breadcrumbData({ site, path, title, breadcrumbs }: PageMetaInput): MetaDescriptor[] {
  if (path === "/") return [];
  const trail = [{ name: site.siteName, path: "/" }, ...(breadcrumbs ?? [{ name: title, path }])];
  return [
    {
      "script:ld+json": {
        "@context": "https://schema.org",
        "@type": "BreadcrumbList",
        itemListElement: trail.map((step, index) => ({
          "@type": "ListItem",
          position: index + 1,
          name: step.name,
          item: canonicalUrl(site.siteUrl, step.path),
        })),
      },
    },
  ];
}
