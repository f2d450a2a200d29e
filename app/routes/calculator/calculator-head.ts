import type { PageMetaInput } from "#app/features/site/page-meta.ts";
import type { SiteConfig } from "#app/features/site/site-config.ts";

export type CalculatorHead = Pick<PageMetaInput, "description" | "keywords">;

/** What the head says of the calculator whatever the trade; from the server, so that the browser's script is without it. */
export function calculatorHead(site: SiteConfig): CalculatorHead {
  return {
    description: `Put both sides of a ${site.gameName} trade on the scale: up to nine items each, regular or permanent, with total value, demand and a clear verdict.`,
    keywords: [
      `${site.gameName} trade calculator`,
      "win or lose trade",
      "fair trade",
      "item values",
      site.siteName,
    ],
  };
}
