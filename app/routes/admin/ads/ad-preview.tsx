import { useEffect, useState } from "react";
import { adDocument } from "#app/features/ads/ad-document.ts";
import { AD_SIZES, PLACEMENT_SIZES, type Placement } from "#app/features/ads/placement.ts";

/** How long typing must pause before the code runs again, in milliseconds: half a tag is not an ad. */
const REST = 400;

/**
 * The code as visitors get it, before it is saved: in a frame with the same sandbox, size and policy. The frame's
 * document is fetched from its own path, since only then it has its own policy, and receives the code by message.
 */
export function AdPreview({ placement, code }: { placement: Placement; code: string }) {
  const shown = useRested(code);
  const { width, height } = AD_SIZES[PLACEMENT_SIZES[placement]];
  return (
    <div className="grid gap-2">
      <h3 className="text-base">Preview</h3>
      <div className="rounded-md border border-line border-dashed p-2">
        {shown.trim() === "" ? (
          <p className="text-muted text-sm">Without code, the placeholder appears here.</p>
        ) : (
          <iframe
            key={shown}
            src="/ads/frame/preview"
            title={`Preview of ${placement}`}
            sandbox="allow-scripts allow-popups"
            width={width}
            height={height}
            className="mx-auto block max-w-full border-0"
            onLoad={({ currentTarget }) => currentTarget.contentWindow?.postMessage(adDocument(shown), "*")}
          />
        )}
      </div>
    </div>
  );
}

/** A text, once typing has paused. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), REST);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}
