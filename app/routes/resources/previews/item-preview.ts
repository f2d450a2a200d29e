import { findItemBySlug, type Item } from "#app/features/items/item-queries.ts";
import { listDatedChanges } from "#app/features/items/value-history-queries.ts";
import { findPageConfiguration } from "#app/features/page-configurations/page-configuration-queries.ts";
import type { Client } from "#app/features/site/client.ts";
import type { ReadPicture } from "#app/server-context.ts";
import { isVisible, type PageConfiguration } from "#domain/fields/field-visibility.ts";
import { formatDate, formatDayNear } from "#domain/text/dates.ts";
import { titled } from "#domain/text/words.ts";
import { lastMove } from "#domain/values/last-move.ts";
import { formatPercentage, valueChange } from "#domain/values/value-change.ts";
import { figuresOf } from "#domain/values/view-mode.ts";
import { COLORS, drawPicture } from "./draw-preview.ts";
import { drawText } from "./preview-text.ts";

/**
 * An item as shown in its preview; `changedAt` is when its regular value last changed, null for never. Fields that its
 * page hides are hidden.
 */
type ItemReading = { item: Item; changedAt: string | null; configuration: PageConfiguration };

/** Null if there is no such item; `failed` if it could not be read. */
export async function readItem(
  client: Client,
  slug: string,
): Promise<{ reading: ItemReading | null; failed: boolean }> {
  const [{ item, failed }, configuration] = await Promise.all([
    findItemBySlug(client, slug),
    findPageConfiguration(client, "fruit_detail"),
  ]);
  if (!item) return { reading: null, failed };
  const changes = await listDatedChanges(client, [item.id]);
  const changedAt = lastMove(changes, figuresOf(item, "regular"));
  return { reading: { item, changedAt, configuration }, failed: false };
}

const LEFT = 60;
const WIDTH = 660;

/** Name, value, its change with the day, permanent value, demand and the day of the last check, beside the picture. */
export function drawItem({ item, changedAt, configuration }: ItemReading, read: ReadPicture): string {
  const { value } = figuresOf(item, "regular");
  const permanent = figuresOf(item, "permanent").value;
  const showsValue = isVisible(configuration, "current_value");
  const facts = [
    ...(showsValue && permanent.number !== null ? [`Permanent ${permanent.text}`] : []),
    ...(isVisible(configuration, "demand") ? [`${titled(item.demand)} demand`] : []),
  ];
  return [
    isVisible(configuration, "image") ? drawCard(item, read) : "",
    drawText(item.name, LEFT, 140, { font: "display", size: 92, fill: COLORS.text, maxWidth: WIDTH }),
    showsValue ? drawText(value.text, LEFT, 282, { font: "bold", size: 132, fill: COLORS.lantern }) : "",
    isVisible(configuration, "value_change") ? drawChange(item, changedAt) : "",
    drawText(facts.join("  ·  "), LEFT, 412, { font: "plain", size: 36, fill: COLORS.text, maxWidth: WIDTH }),
    drawText(`Checked ${formatDate(item.values_checked_at, "UTC")}`, LEFT, 464, {
      font: "plain",
      size: 32,
      fill: COLORS.muted,
    }),
  ].join("");
}

function drawCard(item: Item, read: ReadPicture): string {
  const picture = drawPicture(item.image_url ?? "", 790, 90, 320, read);
  return `<rect x="760" y="60" width="380" height="380" rx="36" fill="${COLORS.card}"/>${picture}`;
}

function drawChange(item: Item, changedAt: string | null): string {
  const { value, previous } = figuresOf(item, "regular");
  const change = valueChange(value.number, previous.number);
  if (!change || change.trend === "Stable") return "";
  const since = changedAt ? ` since ${formatDayNear(changedAt, Date.now())}` : "";
  const rises = change.trend === "Rising";
  const fill = rises ? COLORS.rise : COLORS.fall;
  // Drawn, since the fonts' Latin subset has no triangles.
  const arrow = rises ? "M60 344 l15 -26 15 26z" : "M60 318 l15 26 15 -26z";
  const text = `${formatPercentage(change.percentage)}${since}`;
  return `<path fill="${fill}" d="${arrow}"/>${drawText(text, 106, 346, { font: "bold", size: 42, fill, maxWidth: 600 })}`;
}
