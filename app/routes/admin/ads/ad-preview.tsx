import { useEffect, useState } from "react";
import { adDocument } from "#app/features/ads/ad-document.ts";
import { AD_SIZES, PLACEMENT_SIZES, type Placement } from "#app/features/ads/placement.ts";

/** How long the code must rest before it is run again, in milliseconds: half a tag is no ad. */
const REST = 400;

/**
 * The code as visitors get it: in a frame with the same sandbox, size and policy, also before it is saved. The frame's
 * document is fetched from its own path, because only so it has a policy of its own; then it is handed the code.
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

/** A text once it has rested. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), REST);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}
