import { useId } from "react";
import { DemandBadge } from "#app/features/items/demand-badge.tsx";
import { FigureText } from "#app/features/items/figure-text.tsx";
import { ItemImage } from "#app/features/items/item-image.tsx";
import { RarityBadge } from "#app/features/items/rarity-badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { LinkButton } from "#app/ui/link-button.tsx";
import { isVisible, type PageConfiguration } from "#domain/fields/field-visibility.ts";
import { formatDateTime, READERS_ZONE } from "#domain/text/dates.ts";
import type { SideWorth } from "#domain/trades/trade-lines.ts";
import type { TradeResult } from "#domain/trades/trade-result.ts";
import { formatNumber, formatValue } from "#domain/values/value-text.ts";
import type { SavedSide, SavedTrade, ShownLine } from "./saved-trade.ts";

type TradeCardProps = {
  trade: SavedTrade;
  configuration: PageConfiguration;
  /** Called with the trade to delete, for the question to name it. */
  onDelete: (trade: SavedTrade) => void;
};

/** A saved trade: partner and date, both offers, the result, and the result by today's values (2.history.03 to .10). */
export function TradeCard({ trade, configuration, onDelete }: TradeCardProps) {
  const id = useId();
  return (
    <li className="trade-card card card-pad">
      <article className="grid min-w-0 gap-4" aria-labelledby={`${id}-partner ${id}-time`}>
        <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 border-line border-b-4 border-double pb-3">
          <div className="min-w-0">
            <h2 id={`${id}-partner`} className="text-xl wrap-anywhere">
              {trade.partner || "Trade Calculation"}
            </h2>
            <p id={`${id}-time`} className="text-sm text-muted">
              <time dateTime={trade.savedAt}>{formatDateTime(trade.savedAt, READERS_ZONE)}</time>
            </p>
          </div>
          <p className="trade-result font-bold font-display text-[1.375rem]/[1.2]">
            <span className="sr-only">Result: </span>
            <TradeResultText result={trade.result} />
          </p>
        </header>
        <div className="trade-sides">
          <TradeSide title="Your Offer" side={trade.yours} configuration={configuration} />
          <TradeSide title="Their Offer" side={trade.theirs} configuration={configuration} />
        </div>
        <footer className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-t-2 border-dotted pt-3">
          {trade.today && (
            <p>
              By today’s values: <TradeResultText result={trade.today} className="font-bold" />
            </p>
          )}
          <div className="flex flex-wrap gap-2">
            {trade.query && (
              <LinkButton size="sm" to={`/calculator${trade.query}`} prefetch="intent">
                Open in Calculator
              </LinkButton>
            )}
            <Button
              size="sm"
              variant="ghost"
              aria-describedby={`${id}-partner ${id}-time`}
              onClick={() => onDelete(trade)}
            >
              Delete
            </Button>
          </div>
        </footer>
      </article>
    </li>
  );
}

const TONES: Record<TradeResult["result"], string> = {
  Profit: "text-rise",
  Loss: "text-fall",
  "Fair Trade": "text-medium",
  "Not judged": "text-muted",
};

/** A result with its difference, without a sign (2.history.07 to .09): `Profit 30M`. */
function TradeResultText({ result, className }: { result: TradeResult; className?: string }) {
  return (
    <span className={classNames(TONES[result.result], className)}>
      {result.result}
      {result.difference !== null && result.difference > 0 && (
        <span className="figures"> {formatNumber(result.difference)}</span>
      )}
    </span>
  );
}

type TradeSideProps = { title: string; side: SavedSide; configuration: PageConfiguration };

/** A side's lines, its total as saved, and the same items' worth today (2.history.05, 2.history.06). */
function TradeSide({ title, side, configuration }: TradeSideProps) {
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-sans text-muted text-sm">{title}</h3>
      <ul className="grid flex-1 content-start gap-2.5">
        {side.lines.map((line) => (
          <TradeLineText
            key={`${line.id ?? line.name} ${line.mode} ${line.value}`}
            line={line}
            configuration={configuration}
          />
        ))}
      </ul>
      <dl className="figures">
        <Worth label="Total" worth={side.saved} className="font-bold text-xl" />
        {side.today && <Worth label="Today" worth={side.today} className="text-[0.9375rem]" />}
      </dl>
    </section>
  );
}

function Worth({ label, worth, className }: { label: string; worth: SideWorth; className?: string }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-2">
      <dt className="text-muted text-sm">{label}</dt>
      <dd className={className}>
        {formatNumber(worth.total)}
        {worth.uncounted > 0 && (
          <span className="font-semibold text-accent-text text-sm"> + {worth.uncounted} unpriced</span>
        )}
      </dd>
    </div>
  );
}

const FACTS = "flex flex-wrap items-center gap-x-2 gap-y-1 text-muted text-sm";

/** Name × quantity, with the fields that the page configuration of trade_history shows (P28). */
function TradeLineText({ line, configuration }: { line: ShownLine; configuration: PageConfiguration }) {
  const { item } = line;
  const hasName = isVisible(configuration, "name");
  const hasValue = isVisible(configuration, "current_value") && line.value !== null;
  return (
    <li className="flex items-start gap-2.5">
      {isVisible(configuration, "image") && (
        <ItemImage src={item?.image_url} size={40} className="size-10 flex-none" />
      )}
      <div className="min-w-0">
        <p className="font-semibold leading-[1.3] wrap-anywhere">
          <span translate="no" className={hasName ? undefined : "sr-only"}>
            {line.name}
          </span>{" "}
          × {line.quantity}
        </p>
        <p className={FACTS}>
          {line.mode === "permanent" && <span>Permanent</span>}
          {hasValue && (
            <span className="figures">
              <FigureText text={formatValue(line.value)} />
              {line.quantity > 1 && " each"}
            </span>
          )}
        </p>
        <p className={`${FACTS} mt-1`}>
          {item && isVisible(configuration, "rarity") && <RarityBadge rarity={item.rarity} />}
          {item && isVisible(configuration, "demand") && <DemandBadge demand={item.demand} />}
        </p>
      </div>
    </li>
  );
}
