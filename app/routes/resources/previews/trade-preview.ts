import { describeJudgment, type JudgmentTone } from "#app/features/trades/judgment-text.ts";
import { describeTotal, type FilledSlot, type Offer } from "#app/features/trades/offer.ts";
import type { ReadPicture } from "#app/server-context.ts";
import { judgeTrade } from "#domain/trades/verdict.ts";
import { COLORS, drawPicture } from "./draw-preview.ts";
import { drawText } from "./preview-text.ts";

const TONES: Record<JudgmentTone, string> = {
  gain: COLORS.rise,
  loss: COLORS.fall,
  even: COLORS.lantern,
  none: COLORS.muted,
};

/** Both sides with their pictures and totals, and the verdict below. */
export function drawTrade(yours: Offer, theirs: Offer, read: ReadPicture): string {
  const unknown = [...yours.unknown, ...theirs.unknown];
  const { title, detail, tone } = describeJudgment(judgeTrade(yours.sum, theirs.sum), unknown);
  const middle = { x: 600, anchor: "middle", maxWidth: 1_080 } as const;
  return [
    drawSide("You", yours, 60, read),
    drawSide("Them", theirs, 620, read),
    drawText(title, middle.x, 430, { font: "display", size: 64, fill: TONES[tone], ...middle }),
    drawText(detail, middle.x, 484, { font: "plain", size: 34, fill: COLORS.text, ...middle }),
  ].join("");
}

const SIDE = 520;
/** The area for up to nine pictures of one side. */
const PICTURES = { top: 122, height: 220 };

function drawSide(name: string, offer: Offer, x: number, read: ReadPicture): string {
  return [
    `<rect x="${x}" y="40" width="${SIDE}" height="320" rx="28" fill="${COLORS.card}"/>`,
    drawText(name, x + 28, 98, { font: "display", size: 46, fill: COLORS.text }),
    drawText(describeTotal(offer), x + SIDE - 28, 98, {
      font: "bold",
      size: 46,
      fill: COLORS.lantern,
      anchor: "end",
      maxWidth: 300,
    }),
    ...placeSlots(offer.filled.length).map(({ dx, dy, size }, index) => {
      const slot = offer.filled[index];
      return slot ? drawSlot(slot, x + dx, PICTURES.top + dy, size, read) : "";
    }),
  ].join("");
}

/** One item is large, up to four are in a row, more in two rows. */
function placeSlots(count: number): { dx: number; dy: number; size: number }[] {
  const columns = count <= 4 ? Math.max(count, 1) : Math.ceil(count / 2);
  const rows = count <= 4 ? 1 : 2;
  const size = Math.min((SIDE - 40) / columns - 10, PICTURES.height / rows - 10, 190);
  return Array.from({ length: count }, (_, index) => {
    const row = Math.floor(index / columns);
    const inRow = row === rows - 1 ? count - columns * row : columns;
    const left = (SIDE - inRow * (size + 10)) / 2 + 5;
    return {
      dx: left + (index % columns) * (size + 10),
      dy: (PICTURES.height - rows * (size + 10)) / 2 + row * (size + 10) + 5,
      size,
    };
  });
}

function drawSlot({ item, mode }: FilledSlot, x: number, y: number, size: number, read: ReadPicture): string {
  const picture = drawPicture(item.image_url ?? "", x, y, size, read);
  if (mode === "regular") return picture;
  const badge = `<circle cx="${x + size - 18}" cy="${y + 18}" r="18" fill="${COLORS.lantern}"/>`;
  return `${picture}${badge}${drawText("P", x + size - 18, y + 27, { font: "bold", size: 26, fill: COLORS.hull, anchor: "middle" })}`;
}
