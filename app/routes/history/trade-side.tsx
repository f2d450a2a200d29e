import { DemandBadge } from "#app/features/items/demand-badge.tsx";
import { FigureText } from "#app/features/items/figure-text.tsx";
import { ItemImage } from "#app/features/items/item-image.tsx";
import { RarityBadge } from "#app/features/items/rarity-badge.tsx";
import { isVisible, type PageConfiguration } from "#domain/fields/field-visibility.ts";
import type { SideWorth } from "#domain/trades/trade-lines.ts";
import { formatNumber, formatValue } from "#domain/values/value-text.ts";
import type { SavedSide, ShownLine } from "./saved-trade.ts";

type TradeSideProps = { title: string; side: SavedSide; configuration: PageConfiguration };

/** A side's lines, its total as saved, and the same items' worth today (2.history.05, 2.history.06). */
export function TradeSide({ title, side, configuration }: TradeSideProps) {
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
          <span className={hasName ? undefined : "sr-only"}>{line.name}</span> × {line.quantity}
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
