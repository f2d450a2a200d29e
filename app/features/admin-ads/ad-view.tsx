import { Button } from "#app/ui/button.tsx";
import { ScrollRegion } from "../admin/scroll-region.tsx";
import type { Ad } from "./ad-writes.ts";

/** Code as text, which is not run here. */
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

/** The stored ad, and the way to edit it. */
export function AdView({ ad, onEdit }: { ad: Ad; onEdit(): void }) {
  return (
    <>
      <AdCode label={`Ad code of ${ad.placement}`} code={ad.ad_code} />
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
