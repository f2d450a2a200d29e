import type { MetaDescriptor } from "react-router";
import type { SiteConfig } from "./site-config.ts";

/** One step of the way from the home page to a page. */
type Breadcrumb = { name: string; path: string };

export type PageMetaInput = {
  site: SiteConfig;
  /** The page's own path, such as `/fruits/kitsune`; a query or hash in it is left out of the canonical address. */
  path: string;
  title: string;
  description: string;
  keywords: readonly string[];
  /** The path of the picture that a shared link shows, 1200 × 630, and what it shows in words. Default: the site's. */
  preview?: { path: string; alt: string };
  /** What a shared link leads to where the path alone does not say it: the query of a trade. */
  sharedQuery?: string;
  /** The way from the home page, which is left out, to this page, its last step. Default: this page by its title. */
  breadcrumbs?: readonly Breadcrumb[];
};

/** Drawn by routes/previews, as every other. */
const SITE_PREVIEW = "/share.png";

/**
 * Every head tag of a page: title, description, keywords, robots, canonical link, Open Graph, Twitter card and
 * breadcrumb data. A route's `meta` returns it, so that a client-side navigation leaves the head of a fresh load.
 * Clauses 2.head.01 to 2.head.08; robots on every page by P31.
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
    // Parsers read the address that this names instead of the one they were given.
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

/** The `meta` of a route whose head depends on the site alone. */
export function metaOf(describe: (site: SiteConfig) => Omit<PageMetaInput, "site">) {
  return ({ matches }: { matches: Matches }): MetaDescriptor[] => {
    const site = siteOf(matches);
    return pageMeta({ site, ...describe(site) });
  };
}

/** The title with ` | {game name} Values` where it does not name the game (2.head.02). */
export function fullTitle(title: string, gameName: string): string {
  return title.includes(gameName) ? title : `${title} | ${gameName} Values`;
}

/** The absolute address of a path on the configured host, without query and hash (2.head.07). */
export function canonicalUrl(siteUrl: string, path: string): string {
  return siteUrl + (path.split(/[?#]/, 1)[0] || "/");
}

/**
 * The site's configuration inside a route's `meta`, where no hook works: the root loader's data among the matches.
 */
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
