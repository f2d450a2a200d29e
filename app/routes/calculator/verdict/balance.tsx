import { Picture } from "#app/features/pictures/picture.tsx";
import type { FilledSlot } from "#app/features/trades/offer.ts";

type BalanceProps = {
  /** From -1 (all on their side) to 1 (all on yours). */
  lean: number;
  /** The items on each pan. */
  yours: readonly FilledSlot[];
  theirs: readonly FilledSlot[];
  /** Whether the page configuration shows pictures. */
  hasPictures: boolean;
};

const ARM = 82;
const STEEPEST = 16;

/** A scale on an anchor: your pan on the left, the heavier one lower. Decorative, since the text stands beside it. */
export function Balance({ lean, yours, theirs, hasPictures }: BalanceProps) {
  const angle = -STEEPEST * Math.sqrt(Math.abs(lean)) * Math.sign(lean);
  const [x, y] = [Math.cos, Math.sin].map((of) => ARM * of((angle * Math.PI) / 180)) as [number, number];
  return (
    <svg aria-hidden="true" viewBox="0 0 260 150" className="balance" fill="none">
      <path
        d="M130 38V136M114 56H146M94 116C98 132 112 138 130 142C148 138 162 132 166 116M88 124L94 115L103 122M157 122L166 115L172 124"
        className="balance-anchor"
      />
      <g transform={`translate(130 34) rotate(${round(angle)})`} className="balance-part">
        <path d={`M-${ARM} 0Q0-13 ${ARM} 0`} className="balance-arm" />
      </g>
      <Pan x={130 - x} y={34 - y} slots={yours} tone="text-accent" hasPictures={hasPictures} />
      <Pan x={130 + x} y={34 + y} slots={theirs} tone="text-medium" hasPictures={hasPictures} />
      <circle cx="130" cy="30" r="7" className="balance-joint" />
    </svg>
  );
}

type PanProps = Pick<BalanceProps, "hasPictures"> & {
  x: number;
  y: number;
  slots: readonly FilledSlot[];
  tone: string;
};

/** A pan on two ropes, with its items stacked from the middle. */
function Pan({ x, y, slots, tone, hasPictures }: PanProps) {
  return (
    <g transform={`translate(${round(x)} ${round(y)})`} className={`balance-part ${tone}`}>
      <path d="M0 0-38 48M0 0 38 48" className="balance-rope" />
      {layOutPan(slots).map(({ item, left, top, size }) => (
        <g key={`${left} ${top}`} transform={`translate(${left} ${top})`}>
          <PanPicture src={hasPictures ? item.image_url : null} size={size} />
        </g>
      ))}
      <path d="M-42 48H42Q36 62 0 62Q-36 62-42 48Z" className="balance-pan" />
    </g>
  );
}

/** The same size as in the slots, so that it is the same file. */
const LOADED_SIZE = 72;

/** An item's picture on a pan; a weight if it has none. */
function PanPicture({ src, size }: { src: string | null; size: number }) {
  const weight = (
    <svg aria-hidden="true" viewBox="0 0 50 50" className="size-full">
      <circle cx="25" cy="25" r="19" className="balance-weight" />
    </svg>
  );
  return (
    <foreignObject width={size} height={size}>
      <Picture src={src} size={LOADED_SIZE} alone className="size-full" otherwise={weight} />
    </foreignObject>
  );
}

const PAN_TOP = 48;

/** The position and size of each item's square: few are large and in a row, many are small in rows of 4, 3 and 2. */
function layOutPan(slots: readonly FilledSlot[]) {
  const count = slots.length;
  const size = [40, 36, 28][count - 1] ?? 21;
  let [row, start, inRow] = [0, 0, count <= 3 ? count : 4];
  return slots.map(({ item }, place) => {
    if (place === start + inRow) [row, start, inRow] = [row + 1, place, Math.min(inRow - 1, count - place)];
    const left = round((place - start - inRow / 2) * size);
    return { item, left, top: round(PAN_TOP - size - row * size * 0.85), size };
  });
}

/** The server's and the browser's cosine may differ in the last digit; the markup must not. */
function round(number: number): number {
  return Math.round(number * 100) / 100;
}
