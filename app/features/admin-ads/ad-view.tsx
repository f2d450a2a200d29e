import { Button } from "#app/ui/button.tsx";
import { ScrollRegion } from "../admin/scroll-region.tsx";
import type { Ad } from "./ad-writes.ts";

/** The stored code as text, which is not run here. */
export function AdView({ ad, onEdit }: { ad: Ad; onEdit(): void }) {
  return (
    <>
      {ad.ad_code === "" ? (
        <p className="text-muted">No ad code yet.</p>
      ) : (
        <ScrollRegion label={`Ad code of ${ad.placement}`} className="code-view">
          <pre>
            <code>{ad.ad_code}</code>
          </pre>
        </ScrollRegion>
      )}
      <Button
        className="justify-self-start"
        data-edits={ad.id}
        aria-label={`Edit ${ad.placement}`}
        onClick={onEdit}
      >
        Edit
      </Button>
    </>
  );
}
