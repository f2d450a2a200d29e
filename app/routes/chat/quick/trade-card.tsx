import { Link } from "react-router";
import { ItemImage } from "#app/features/items/item-image.tsx";
import { describeJudgment, type JudgmentTone } from "#app/features/trades/judgment-text.ts";
import { describeTotal, makeOffer, type Offer, type OfferSlot } from "#app/features/trades/offer.ts";
import { formatTrade, parseTrade } from "#domain/trades/trade-url.ts";
import { judgeTrade } from "#domain/trades/verdict.ts";
import type { ChatItems } from "./quick-reads.ts";

type TradeCardProps = {
  /** The query of the calculator's URL, from the writer's side. */
  trade: string;
  /** Whether the reader wrote it. For anyone else's card the reader is the other side of the trade. */
  isOwn: boolean;
  /** Null while the catalogue is not loaded. */
  items: ChatItems | null;
  /** The text form, shown while there is no catalogue. */
  text: string;
  /** In the message list it is reached by Tab only from its row. */
  isInRow?: boolean;
};

/** A trade as a card: what the reader gives and gets, their values, and a link to the calculator. */
export function TradeCard({ trade, isOwn, items, text, isInRow = false }: TradeCardProps) {
  const written = parseTrade(trade);
  const read = isOwn ? written : { you: written.them, them: written.you };
  const yours = makeOffer(read.you, items);
  const theirs = makeOffer(read.them, items);
  const { title, tone } = describeJudgment(judgeTrade(yours.sum, theirs.sum), [
    ...yours.unknown,
    ...theirs.unknown,
  ]);
  const isWhole = yours.sum.filled > 0 && theirs.sum.filled > 0;
  return (
    <Link
      to={`/calculator${formatTrade(read)}`}
      prefetch="none"
      tabIndex={isInRow ? -1 : undefined}
      className="chat-trade"
    >
      {items ? (
        <>
          <Side label="You give" offer={yours} />
          <Side label="You get" offer={theirs} />
          <span className={`rounded-sm bg-sunken px-2 py-1 font-bold ${isWhole ? TONES[tone] : ""}`}>
            {isWhole ? title : "Open to offers"}
          </span>
        </>
      ) : (
        <span>{text}</span>
      )}
      <span className="link text-sm">Open in the calculator</span>
    </Link>
  );
}

const TONES: Partial<Record<JudgmentTone, string>> = { gain: "text-rise", loss: "text-fall" };

function Side({ label, offer }: { label: string; offer: Offer }) {
  const filled = offer.slots.filter((slot) => slot !== null);
  return (
    <span className="chat-trade-side">
      <span className="flex justify-between gap-3 font-[650] text-sm">
        <span>{label}</span>
        <span className="figures">{filled.length > 0 && describeTotal(offer)}</span>
      </span>
      <span className="flex flex-wrap gap-1">
        {filled.length === 0 && <span className="text-muted">Nothing yet</span>}
        {filled.map((slot, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same item may occur twice, and rows never move
          <Slot key={at} slot={slot} />
        ))}
      </span>
    </span>
  );
}

const SLOT = "rounded-sm bg-sunken p-0.5";

function Slot({ slot }: { slot: NonNullable<OfferSlot> }) {
  if ("unknown" in slot) return <span className={`${SLOT} border border-line`}>{slot.unknown}</span>;
  const { item, mode } = slot;
  const isPermanent = mode === "permanent";
  return (
    <span className={`${SLOT} ${isPermanent ? "border-2 border-accent-text" : "border border-line"}`}>
      <ItemImage
        src={item.image_url}
        size={36}
        alt={isPermanent ? `Permanent ${item.name}` : item.name}
        className="size-9"
      />
    </span>
  );
}
