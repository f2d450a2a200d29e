import { CheckAge } from "#app/features/items/check-age.tsx";
import { useNow } from "#app/features/items/use-now.ts";
import { Card, CardTitle } from "#app/ui/card.tsx";
import { Stat } from "#app/ui/stat.tsx";
import { isVisible, type PageConfiguration } from "#domain/fields/field-visibility.ts";
import { titled } from "#domain/text/words.ts";
import { ItemDay } from "./item-day.tsx";
import type { ShownFruit } from "./shown-fruit.ts";
import type { ShownMode } from "./shown-mode.ts";

type ItemDetailsProps = { fruit: ShownFruit; configuration: PageConfiguration; readAt: number };

/** The item's facts other than figures. The last edit and the age of the check are two lines (P7). */
export function ItemDetails({ fruit, configuration, readAt }: ItemDetailsProps) {
  const now = useNow(readAt);
  return (
    <Card as="section" aria-labelledby="item-details">
      <CardTitle id="item-details">Item Details</CardTitle>
      <dl className="grid gap-2.5">
        {isVisible(configuration, "type") && <Stat label="Type">{titled(fruit.type)}</Stat>}
        {isVisible(configuration, "rarity") && <Stat label="Rarity">{titled(fruit.rarity)}</Stat>}
        {isVisible(configuration, "is_permanent") && (
          <Stat label="Availability">{fruit.isPermanent ? "Permanent" : "Regular"}</Stat>
        )}
        {fruit.category && isVisible(configuration, "category") && (
          <Stat label="Category">{fruit.category.name}</Stat>
        )}
        <Stat label="Last Updated">
          <ItemDay date={fruit.updated} />
        </Stat>
        {fruit.fields.map(({ key, label, text }) => (
          <Stat key={key} label={label}>
            {text}
          </Stat>
        ))}
      </dl>
      <p className="mt-3 text-sm text-muted">
        <CheckAge checked={fruit.checked} now={now} />
      </p>
    </Card>
  );
}

/** Plain sentences on demand, trend and rarity. */
export function MarketInsights({ insights }: Pick<ShownMode, "insights">) {
  return (
    <Card as="section" aria-labelledby="market-insights">
      <CardTitle id="market-insights">Market Insights</CardTitle>
      {insights.length > 0 ? (
        <ul className="grid gap-2.5">
          {insights.map(({ about, text }) => (
            <li key={about} className="border-l-3 border-accent pl-3">
              {text}
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-muted">There is not enough data for an insight yet.</p>
      )}
    </Card>
  );
}
