import type { MetaDescriptor } from "react-router";
import type { SiteConfig } from "./site-config.ts";

/** One step of the way from the home page to a page. */
export type Breadcrumb = { name: string; path: string };

export type PageMetaInput = {
  site: SiteConfig;
  /** The page's own path, such as `/fruits/kitsune`; a query or hash in it is left out of the canonical address. */
  path: string;
  title: string;
  description: string;
  keywords: readonly string[];
  /** The picture a shared link shows: a path of the site or an absolute address. Default: the site's card. */
  image?: string | null;
  /** The way from the home page, which is left out, to this page, its last step. Default: this page by its title. */
  breadcrumbs?: readonly Breadcrumb[];
};

/** The card that a shared link shows where a page has no picture of its own, 1200 × 630. */
const SHARE_IMAGE = "/share.png";

/**
 * Every head tag of a page: title, description, keywords, robots, canonical link, Open Graph, Twitter card and
 * breadcrumb data. A route's `meta` returns it, so that a client-side navigation leaves the head of a fresh load.
 * Clauses 2.head.01 to 2.head.08; robots on every page by P31.
 */
export function pageMeta(input: PageMetaInput): MetaDescriptor[] {
  const { site, description } = input;
  const title = fullTitle(input.title, site.gameName);
  const url = canonicalUrl(site.siteUrl, input.path);
  const image = new URL(input.image || SHARE_IMAGE, site.siteUrl).href;
  return [
    { title },
    { name: "description", content: description },
    { name: "keywords", content: input.keywords.join(", ") },
    { name: "robots", content: "index, follow" },
    { tagName: "link", rel: "canonical", href: url },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { property: "og:type", content: "website" },
    { property: "og:url", content: url },
    { property: "og:image", content: image },
    { property: "og:site_name", content: site.siteName },
    { name: "twitter:card", content: input.image ? "summary" : "summary_large_image" },
    { name: "twitter:title", content: title },
    { name: "twitter:description", content: description },
    { name: "twitter:image", content: image },
    ...breadcrumbData(input),
  ];
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
export function siteOf(matches: readonly ({ id: string; loaderData?: unknown } | undefined)[]): SiteConfig {
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
