import { NotEnoughData, TREND_COLORS, TrendMark } from "#app/features/items/change-text.tsx";
import { FigureText } from "#app/features/items/figure-text.tsx";
import { isVisible, type PageConfiguration } from "#domain/fields/field-visibility.ts";
import { formatDayNear } from "#domain/text/dates.ts";
import {
  formatChange,
  formatPercentage,
  type ValueChange,
  valueChange,
} from "#domain/values/value-change.ts";
import { figuresOf, type ViewMode } from "#domain/values/view-mode.ts";
import type { ListedItem } from "./listed-item.ts";

type CardFiguresProps = { item: ListedItem; mode: ViewMode; configuration: PageConfiguration; now: number };

/** Value, price and change in the current mode, and the custom fields. */
export function CardFigures({ item, mode, configuration, now }: CardFiguresProps) {
  const { value, previous, price, currency } = figuresOf(item, mode);
  const range = item.ranges[mode];
  return (
    <dl className="item-figures figures">
      {isVisible(configuration, "current_value") && (
        <div className="item-value">
          <dt>Value</dt>
          <dd>
            <FigureText text={value.text} />
          </dd>
          {range && <dd className="item-range">{range[0]}</dd>}
        </div>
      )}
      {isVisible(configuration, "beli_price") && (
        <CardFigure className="item-price" label="Price">
          <FigureText text={price.text} unit={currency} />
        </CardFigure>
      )}
      {isVisible(configuration, "value_change") && (
        <CardFigure className="item-change" label="Change">
          <Change change={valueChange(value.number, previous.number)} day={item.moved[mode]} now={now} />
        </CardFigure>
      )}
      {item.fields.map((field) => (
        <CardFigure key={field.key} label={field.label} className="item-field">
          {field.text}
        </CardFigure>
      ))}
    </dl>
  );
}

/** Cards show the amount, rows the percentage; both with the day of the last move, if known. */
function Change({ change, day, now }: { change: ValueChange | null; day: string | null; now: number }) {
  if (!change) return <NotEnoughData />;
  return (
    <>
      <span className={TREND_COLORS[change.trend]}>
        <TrendMark trend={change.trend} /> <span className="item-amount">{formatChange(change.change)}</span>
        <span className="item-share"> {formatPercentage(change.percentage)}</span>
      </span>
      {day && change.change !== 0 && (
        <time className="item-day" dateTime={day}>
          {" "}
          {formatDayNear(day, now)}
        </time>
      )}
    </>
  );
}

type CardFigureProps = { label: string; className: string; children: React.ReactNode };

function CardFigure({ label, className, children }: CardFigureProps) {
  return (
    <div className={className}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
