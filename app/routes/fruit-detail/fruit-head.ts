import type { SiteConfig } from "#app/features/site/site-config.ts";
import { isVisible, type PageConfiguration } from "#domain/fields/field-visibility.ts";
import { formatDate } from "#domain/text/dates.ts";
import { spaced } from "#domain/text/words.ts";
import type { ShownFruit } from "./shown-fruit.ts";
import type { ShownMode } from "./shown-mode.ts";

/** What the head says of an item, without its hidden fields. Built on the server, to save code in the browser. */
export function fruitHead(
  site: SiteConfig,
  { name, demand, checked, modes: { regular, permanent } }: ShownFruit,
  configuration: PageConfiguration,
): { description: string; alt: string } {
  const showsValue = isVisible(configuration, "current_value");
  const change = isVisible(configuration, "value_change") ? changeInWords(regular) : "";
  const facts = [
    showsValue ? `value ${regular.value}${change && ` (${change})`}` : change,
    showsValue && `permanent ${permanent.value}`,
    isVisible(configuration, "demand") && `demand ${spaced(demand)}`,
    `checked ${formatDate(checked, "UTC")}`,
  ].filter(Boolean);
  return {
    description: `${name} in ${site.gameName}: ${facts.join(", ")}. Value history, trade guide and market insights.`,
    alt: showsValue ? `${name}: ${regular.value}` : name,
  };
}

/** `-3.03% since Aug 11, 2026`; empty if the value did not move. */
function changeInWords({ change, moved }: ShownMode): string {
  if (!change || !moved || change.trend === "Stable") return "";
  return `${change.percentage} since ${formatDate(moved, "UTC")}`;
}
