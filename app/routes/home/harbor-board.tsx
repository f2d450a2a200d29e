import "./harbor-board.css";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { TrendMark } from "#app/features/items/change-text.tsx";
import { ItemImage } from "#app/features/items/item-image.tsx";
import { ErrorState } from "#app/ui/error-state.tsx";
import { formatDate, formatMonthDay } from "#domain/text/dates.ts";
import { formatChange, formatPercentage, type ValueChange } from "#domain/values/value-change.ts";
import { type Move, periodOf } from "./market-board.ts";

type HarborBoardProps = {
  moves: readonly Move[] | null;
  /** The notice about the age of all values. */
  notice: ReactNode;
};

/** What moved most and when, as if chalked on a harbor board; if it could not be read, a sentence says so. */
export function HarborBoard({ moves, notice }: HarborBoardProps) {
  const period = moves && periodOf(moves);
  return (
    <section className="board" aria-labelledby="board-title">
      <h2 id="board-title" className="card-title">
        Biggest moves
        <span className="font-medium font-sans text-[0.8125rem]/[1.3] text-muted">
          Regular values
          {period && (
            <>
              {" · "}
              <Period {...period} />
            </>
          )}
        </span>
      </h2>
      <p className="px-2 text-[0.8125rem] text-muted">{notice}</p>
      {moves ? (
        <ol>
          {moves.map((move) => (
            <MoveLine key={move.slug} move={move} isDated={period?.from !== period?.to} />
          ))}
        </ol>
      ) : (
        <ErrorState />
      )}
    </section>
  );
}

/** The days of the moves below only; later checks do not count. */
function Period({ from, to }: { from: string; to: string }) {
  return (
    <>
      <time dateTime={from}>{formatDate(from, "UTC")}</time>
      {to !== from && (
        <>
          {" "}
          – <time dateTime={to}>{formatDate(to, "UTC")}</time>
        </>
      )}
    </>
  );
}

/** Its own day stands beside the name if the moves are from several days. */
function MoveLine({ move, isDated }: { move: Move; isDated: boolean }) {
  return (
    <li>
      <Link to={`/fruits/${move.slug}`} prefetch="intent" className="board-line">
        <ItemImage src={move.image} size={40} eager />
        <span className="board-name">
          <span translate="no">{move.name}</span>
          {isDated && move.changed && (
            <>
              {" "}
              <time
                dateTime={move.changed}
                className="whitespace-nowrap font-medium text-[0.8125rem] text-muted"
              >
                {formatMonthDay(move.changed)}
              </time>
            </>
          )}
        </span>
        <span className="figures font-bold text-[1.0625rem]">{move.value}</span>
        {move.change && <Change change={move.change} />}
      </Link>
    </li>
  );
}

function Change({ change }: { change: ValueChange }) {
  const tone = change.change > 0 ? "text-rise" : "text-fall";
  return (
    <span className={`figures text-right font-[650] text-[0.9375rem] ${tone}`}>
      <TrendMark trend={change.trend} />{" "}
      <span className="sr-only">
        {change.trend}, {formatChange(change.change)},{" "}
      </span>
      {formatPercentage(change.percentage)}
    </span>
  );
}
