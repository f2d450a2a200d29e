import type { AdState } from "./ad-queries.ts";
import { AD_SIZES, type AdSize, PLACEMENT_SIZES, type Placement } from "./placement.ts";

type Box<Size extends AdSize> =
  `h-[${(typeof AD_SIZES)[Size]["height"]}px] w-[${(typeof AD_SIZES)[Size]["width"]}px]`;

/** AD_SIZES as classes: inline styles would require a weaker content security policy. */
const BOXES: { [Size in AdSize]: Box<Size> } = {
  banner: "h-[60px] w-[468px]",
  square: "h-[250px] w-[250px]",
  leaderboard: "h-[90px] w-[728px]",
};

/**
 * A slot of fixed height and maximum width, whatever it holds, so that the layout does not shift. Stored code runs in a
 * frame with an opaque origin, without access to the page, its storage or its session (P16 and P39). A disabled
 * placement renders nothing (P55).
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
