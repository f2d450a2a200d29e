type BalanceProps = {
  /** -1 (all on their side) over 0 to 1 (all on yours). */
  lean: number;
  /** How many items lie on each pan. */
  yours: number;
  theirs: number;
};

const ARM = 82;
const STEEPEST = 16;

/** A scale on an anchor: your pan on the left, the heavier one low. Its words stand beside it, so it is only a picture. */
export function Balance({ lean, yours, theirs }: BalanceProps) {
  const angle = -STEEPEST * Math.sqrt(Math.abs(lean)) * Math.sign(lean);
  const [x, y] = [Math.cos, Math.sin].map((of) => ARM * of((angle * Math.PI) / 180)) as [number, number];
  return (
    <svg aria-hidden="true" viewBox="0 0 260 150" className="mx-auto block w-full max-w-80" fill="none">
      <Anchor />
      <g transform={`translate(130 34) rotate(${round(angle)})`} className="balance-part">
        <path
          d={`M-${ARM} 0Q0-13 ${ARM} 0`}
          className="stroke-accent-text"
          strokeWidth="5"
          strokeLinecap="round"
        />
      </g>
      <Pan x={130 - x} y={34 - y} count={yours} tone="text-accent" />
      <Pan x={130 + x} y={34 + y} count={theirs} tone="text-medium" />
      <circle cx="130" cy="30" r="7" className="fill-surface stroke-accent-text" strokeWidth="4" />
    </svg>
  );
}

function Anchor() {
  return (
    <g className="stroke-line-strong" strokeWidth="5" strokeLinecap="round" strokeLinejoin="round">
      <path d="M130 38V136M114 56H146" />
      <path d="M94 116C98 132 112 138 130 142C148 138 162 132 166 116M88 124L94 115L103 122M157 122L166 115L172 124" />
    </g>
  );
}

/** A pan on two ropes, its items piled from the middle. */
function Pan({ x, y, count, tone }: { x: number; y: number; count: number; tone: string }) {
  return (
    <g transform={`translate(${round(x)} ${round(y)})`} className={`balance-part ${tone}`}>
      <path d="M0 0-26 44M0 0 26 44" className="stroke-line-strong" strokeWidth="2" />
      {PILE.slice(0, count).map(([dx, dy]) => (
        <circle
          key={`${dx} ${dy}`}
          cx={dx}
          cy={dy}
          r="6.5"
          fill="currentColor"
          className="stroke-surface"
          strokeWidth="1.5"
        />
      ))}
      <path
        d="M-30 44H30Q24 58 0 58Q-24 58-30 44Z"
        className="fill-raised stroke-line-strong"
        strokeWidth="2.5"
      />
    </g>
  );
}

/** Where nine items lie: a row of four, then three, then two. */
const PILE = [
  [-6, 37],
  [6, 37],
  [-18, 37],
  [18, 37],
  [0, 27],
  [-12, 27],
  [12, 27],
  [-6, 17],
  [6, 17],
] as const;

/** The server's and the browser's cosine may differ in the last digit; the markup must not. */
function round(number: number): number {
  return Math.round(number * 100) / 100;
}
