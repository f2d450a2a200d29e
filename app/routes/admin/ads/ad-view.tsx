import type { Placement } from "#app/features/ads/placement.ts";
import { ScrollRegion } from "#app/routes/admin/shared/scroll-region.tsx";
import { Button } from "#app/ui/button.tsx";
import { AdPreview } from "./ad-preview.tsx";
import type { Ad } from "./ad-queries.ts";

/** Code as text; it does not run here. */
export function AdCode({ label, code }: { label: string; code: string }) {
  if (code === "") return <p className="text-muted">No ad code yet.</p>;
  return (
    <ScrollRegion label={label} className="code-view">
      <pre>
        <code>{code}</code>
      </pre>
    </ScrollRegion>
  );
}

/** The stored ad, as text and as visitors see it, with a button to edit it. */
export function AdView({ ad, onEdit }: { ad: Ad; onEdit(): void }) {
  return (
    <>
      <AdCode label={`Ad code of ${ad.placement}`} code={ad.ad_code} />
      {ad.ad_code.trim() !== "" && <AdPreview placement={ad.placement as Placement} code={ad.ad_code} />}
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
