import { Link } from "react-router";
import { TrendMark } from "#app/features/items/change-text.tsx";
import { ItemImage } from "#app/features/items/item-image.tsx";
import { ErrorState } from "#app/ui/error-state.tsx";
import { formatDate } from "#domain/dates.ts";
import { formatChange, formatPercentage, type ValueChange } from "#domain/value-change.ts";
import type { BoardRow, MarketBoard } from "./market-board.ts";

/** What moved most, as chalked on the harbour's board; the true sentence in its place when it could not be read. */
export function HarbourBoard({ board }: { board: MarketBoard | null }) {
  return (
    <section className="board" aria-labelledby="board-title">
      <h2 id="board-title" className="card-title">
        Biggest moves
        {board?.checked && (
          <span className="board-date">
            checked <time dateTime={board.checked}>{formatDate(board.checked)}</time>
          </span>
        )}
      </h2>
      {board ? (
        <ol>
          {board.movers.map((row) => (
            <MoverLine key={row.slug} row={row} />
          ))}
        </ol>
      ) : (
        <ErrorState />
      )}
    </section>
  );
}

function MoverLine({ row }: { row: BoardRow }) {
  return (
    <li>
      <Link to={`/fruits/${row.slug}`} prefetch="intent" className="board-line">
        <ItemImage src={row.image} size={40} eager />
        <span className="board-name">{row.name}</span>
        <span className="figures board-value">{row.value}</span>
        {row.change && <Move change={row.change} />}
      </Link>
    </li>
  );
}

function Move({ change }: { change: ValueChange }) {
  const tone = change.change > 0 ? "text-rise" : "text-fall";
  return (
    <span className={`figures board-change ${tone}`}>
      <TrendMark trend={change.trend} />{" "}
      <span className="sr-only">
        {change.trend}, {formatChange(change.change)},{" "}
      </span>
      {formatPercentage(change.percentage)}
    </span>
  );
}
