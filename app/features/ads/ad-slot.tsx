import type { AdState } from "./ad-queries.ts";
import { AD_SIZES, type AdSize, PLACEMENT_SIZES, type Placement } from "./placement.ts";

/** The same as AD_SIZES, in classes: an inline style would need a weaker policy of the page. */
const BOXES: Record<AdSize, string> = {
  banner: "h-[60px] w-[468px]",
  square: "h-[250px] w-[250px]",
  leaderboard: "h-[90px] w-[728px]",
};

/**
 * A place for an ad, of fixed height and greatest width, whatever it holds, so that nothing moves. Stored code runs
 * in a frame of an opaque origin, out of reach of the page, its storage and its session (P16 and P39). A placement that
 * is switched off leaves no box (P55).
 */
export function AdSlot({ placement, state }: { placement: Placement; state: AdState }) {
  if (state === "off") return null;
  const size = PLACEMENT_SIZES[placement];
  return (
    <div
      data-placement={placement}
      data-size={size}
      className={`mx-auto max-w-full overflow-hidden rounded-md ${BOXES[size]}`}
    >
      {state === "filled" ? <AdFrame placement={placement} {...AD_SIZES[size]} /> : <AdPlaceholder />}
    </div>
  );
}

function AdFrame({ placement, width, height }: { placement: Placement; width: number; height: number }) {
  return (
    <iframe
      src={`/ads/frame/${placement}`}
      title="Advertisement"
      sandbox="allow-scripts allow-popups"
      width={width}
      height={height}
      loading="lazy"
      className="max-w-full border-0"
    />
  );
}

function AdPlaceholder() {
  return (
    <div className="grid h-full place-content-center rounded-md border border-dashed border-line-strong bg-sunken text-center leading-snug">
      <p className="text-sm font-semibold">Advertisement</p>
      <p className="text-2xs text-muted">Your ad space here</p>
    </div>
  );
}
