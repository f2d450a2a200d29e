import type { CalculatorItem } from "#app/features/items/item-queries.ts";
import type { PageMetaInput } from "#app/features/site/page-meta.ts";
import type { SiteConfig } from "#app/features/site/site-config.ts";
import { describeJudgment } from "#app/features/trades/judgment-text.ts";
import { describeTotal, makeOffer, nameItems, type Offer } from "#app/features/trades/offer.ts";
import { formatTrade, parseTrade } from "#domain/trades/trade-url.ts";
import { judgeTrade } from "#domain/trades/verdict.ts";

/** The calculator's head: for the trade in the address, or for the calculator itself. */
export function tradeMeta(
  site: SiteConfig,
  search: string,
  data: { items: readonly CalculatorItem[] | null; head: CalculatorHead | null } | undefined,
): PageMetaInput {
  const trade = parseTrade(search);
  const query = formatTrade(trade);
  const items = data?.items;
  const calculator = {
    site,
    path: "/calculator",
    title: `${site.gameName} Trade Calculator`,
    description: "",
    keywords: [],
    ...data?.head,
  };
  if (!items || query === "") return calculator;
  const bySlug = new Map(items.map((item) => [item.slug, item]));
  const [yours, theirs] = [makeOffer(trade.you, bySlug), makeOffer(trade.them, bySlug)];
  const { title: verdict, detail } = describeJudgment(judgeTrade(yours.sum, theirs.sum), [
    ...yours.unknown,
    ...theirs.unknown,
  ]);
  const title = `${inWords(yours)} for ${inWords(theirs)}: ${verdict}`;
  return {
    ...calculator,
    title: title.length <= 90 ? title : `${site.gameName} trade: ${verdict}`,
    description:
      `You give ${inWords(yours)} (${describeTotal(yours)}) and get ${inWords(theirs)} ` +
      `(${describeTotal(theirs)}). ${verdict}: ${detail}`,
    preview: { path: `/share/trade.png${query}`, alt: title },
    sharedQuery: query,
  };
}

/** `2 Dough + permanent Portal`, or `nothing` for an empty side. */
function inWords(offer: Offer): string {
  return nameItems(offer).join(" + ") || "nothing";
}

type CalculatorHead = Pick<PageMetaInput, "description" | "keywords">;

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
