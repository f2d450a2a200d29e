import type { PageMetaInput } from "#app/features/site/page-meta.ts";
import type { SiteConfig } from "#app/features/site/site-config.ts";

export type CalculatorHead = Pick<PageMetaInput, "description" | "keywords">;

/** The calculator's head for any trade; built on the server, to keep it out of the browser's script. */
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
