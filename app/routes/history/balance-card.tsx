import { Card, CardTitle } from "#app/ui/card.tsx";
import { Stat } from "#app/ui/stat.tsx";
import { sumUpTrades, type TradeBalance, type TradeTotals } from "#domain/trades/trade-balance.ts";
import { formatNumber } from "#domain/values/value-text.ts";

/** From this number of judged trades on, a line tells more than their cards. */
const ENOUGH = 3;

/** The sum of all trades and its course; renders nothing while there are too few. */
export function BalanceCard({ totals }: { totals: readonly TradeTotals[] }) {
  const balance = sumUpTrades(totals);
  if (balance.steps.length < ENOUGH) return null;
  const { net, profits, losses, fair, steps } = balance;
  return (
    <Card
      as="section"
      aria-labelledby="balance-title"
      className="grid gap-x-8 gap-y-4 md:grid-cols-[17rem_minmax(0,1fr)] md:items-center"
    >
      <div>
        <CardTitle id="balance-title">Your balance</CardTitle>
        <p className={`figures mb-2 font-bold font-display text-[1.75rem]/[1.2] ${toneOf(net)}`}>
          {describeNet(net)}
        </p>
        <dl>
          <Stat label="Profit">{profits}</Stat>
          <Stat label="Fair Trade">{fair}</Stat>
          <Stat label="Loss">{losses}</Stat>
        </dl>
      </div>
      <BalanceLine steps={steps} />
    </Card>
  );
}

function toneOf(net: number): string {
  if (net === 0) return "text-medium";
  return net > 0 ? "text-rise" : "text-fall";
}

/** `480M gained over 12 judged trades`, in words, so that no sign has to be noticed. */
function describeNet(net: number): string {
  if (net === 0) return "Even";
  return `${formatNumber(Math.abs(net))} ${net > 0 ? "gained" : "lost"}`;
}

const WIDTH = 600;
const HEIGHT = 160;
/** The space above and below the line, for its thickness and half a label. */
const EDGE = 10;
/** Two labels closer than this would touch. */
const CLEAR = 24;

/** The balance after each trade as a line over the zero level, with its highest and lowest balance. */
function BalanceLine({ steps }: Pick<TradeBalance, "steps">) {
  const levels = [0, ...steps];
  const [top, bottom] = [Math.max(...levels), Math.min(...levels)];
  const span = top - bottom || 1;
  const y = (level: number) => Math.round(((top - level) / span) * HEIGHT * 10) / 10;
  const x = (place: number) => Math.round((place / steps.length) * WIDTH * 10) / 10;
  const line = levels.map((level, place) => `${x(place)} ${y(level)}`).join("L");
  const last = steps.at(-1) ?? 0;
  return (
    <figure className="balance-chart">
      <svg aria-hidden="true" className="figures">
        {labeledLevels(top, bottom, y).map((level) => (
          <text key={level} x="100%" y={`${((y(level) + EDGE) / (HEIGHT + 2 * EDGE)) * 100}%`}>
            {formatNumber(level)}
          </text>
        ))}
      </svg>
      <svg
        role="img"
        aria-label={`Balance over ${steps.length} judged trades, between ${describeNet(bottom)} and ${describeNet(top)}, ending with ${describeNet(last)}`}
        viewBox={`-6 ${-EDGE} ${WIDTH + 12} ${HEIGHT + 2 * EDGE}`}
        preserveAspectRatio="none"
        className="text-link"
      >
        <path d={`M${line}L${WIDTH} ${y(0)}L0 ${y(0)}Z`} className="fill-current" opacity=".14" />
        <path
          d={`M0 ${y(0)}H${WIDTH}`}
          className="stroke-line-strong"
          strokeDasharray="2 6"
          vectorEffect="non-scaling-stroke"
        />
        <path
          d={`M${line}`}
          fill="none"
          stroke="currentColor"
          strokeWidth="2.5"
          strokeLinejoin="round"
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <figcaption>Balance after each judged trade, oldest first</figcaption>
    </figure>
  );
}

/** The highest and the lowest level, and zero unless it would touch one of them. */
function labeledLevels(top: number, bottom: number, y: (level: number) => number): number[] {
  const ends = [top, bottom];
  const isClear = ends.every((end) => Math.abs(y(end) - y(0)) >= CLEAR);
  return [...new Set(isClear ? [...ends, 0] : ends)];
}
