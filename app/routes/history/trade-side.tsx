import { DemandBadge } from "#app/features/items/demand-badge.tsx";
import { FigureText } from "#app/features/items/figure-text.tsx";
import { ItemImage } from "#app/features/items/item-image.tsx";
import { RarityBadge } from "#app/features/items/rarity-badge.tsx";
import { isVisible, type PageConfiguration } from "#domain/fields/field-visibility.ts";
import type { SideWorth } from "#domain/trades/trade-lines.ts";
import { formatNumber, formatValue } from "#domain/values/value-text.ts";
import type { SavedSide, ShownLine } from "./saved-trade.ts";

type TradeSideProps = { title: string; side: SavedSide; configuration: PageConfiguration };

/** A side's lines, its total as saved, and what the same items are worth today (2.history.05, 2.history.06). */
export function TradeSide({ title, side, configuration }: TradeSideProps) {
  return (
    <section className="trade-side">
      <h3>{title}</h3>
      <ul>
        {side.lines.map((line) => (
          <TradeLineText
            key={`${line.id ?? line.name} ${line.mode} ${line.value}`}
            line={line}
            configuration={configuration}
          />
        ))}
      </ul>
      <dl className="figures">
        <div>
          <dt>Total</dt>
          <dd className="trade-total">
            <WorthText worth={side.saved} />
          </dd>
        </div>
        {side.today && (
          <div className="trade-today">
            <dt>Today</dt>
            <dd>
              <WorthText worth={side.today} />
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}

function WorthText({ worth }: { worth: SideWorth }) {
  return (
    <>
      {formatNumber(worth.total)}
      {worth.uncounted > 0 && <span> + {worth.uncounted} unpriced</span>}
    </>
  );
}

/** Name × quantity, with what the page configuration of trade_history shows beside it (P28). */
function TradeLineText({ line, configuration }: { line: ShownLine; configuration: PageConfiguration }) {
  const { item } = line;
  const hasName = isVisible(configuration, "name");
  const hasValue = isVisible(configuration, "current_value") && line.value !== null;
  return (
    <li>
      {isVisible(configuration, "image") && <ItemImage src={item?.image_url} size={40} className="size-10" />}
      <div>
        <p>
          <span className={hasName ? undefined : "sr-only"}>{line.name}</span> × {line.quantity}
        </p>
        <p className="trade-facts">
          {line.mode === "permanent" && <span>Permanent</span>}
          {hasValue && (
            <span className="figures">
              <FigureText text={formatValue(line.value)} />
              {line.quantity > 1 && " each"}
            </span>
          )}
        </p>
        <p className="trade-facts">
          {item && isVisible(configuration, "rarity") && <RarityBadge rarity={item.rarity} />}
          {item && isVisible(configuration, "demand") && <DemandBadge demand={item.demand} />}
        </p>
      </div>
    </li>
  );
}
