import { useState } from "react";
import { AD_SIZES, PLACEMENT_SIZES, type Placement } from "#app/features/ads/placement.ts";
import { Badge } from "#app/ui/badge.tsx";
import { titled } from "#domain/words.ts";
import { PanelSection } from "../admin/panel-section.tsx";
import { useReturnedFocus } from "../admin/use-returned-focus.ts";
import { AdForm } from "./ad-form.tsx";
import { AdPreview } from "./ad-preview.tsx";
import { AdView } from "./ad-view.tsx";
import type { Ad } from "./ad-writes.ts";

/** Where visitors meet each placement. */
const PLACES: Record<Placement, string> = {
  values_grid: "Values: after every 8th card",
  detail_header: "Item page: under the name",
  detail_content: "Item page: between the sections",
  detail_sidebar: "Item page: beside the text",
};

/** A placement with its ad: view, then edit, then view again. */
export function AdCard({ ad, reload }: { ad: Ad; reload(): Promise<void> }) {
  const [isEditing, setEditing] = useState(false);
  const card = useReturnedFocus<HTMLDivElement>(isEditing ? ad.id : null);
  const placement = ad.placement as Placement;
  const size = PLACEMENT_SIZES[placement];
  const { width, height } = AD_SIZES[size];
  return (
    <PanelSection
      title={
        <>
          <span className="flex-1">{titled(placement)}</span>
          <Badge className="font-sans" tone={ad.enabled ? "rise" : "neutral"}>
            {ad.enabled ? "Enabled" : "Disabled"}
          </Badge>
        </>
      }
    >
      <div ref={card} className="grid gap-4">
        <p className="text-muted text-sm">
          {PLACES[placement]}, {size} of {width} × {height} px
        </p>
        {isEditing ? (
          <AdForm
            ad={ad}
            onCancel={() => setEditing(false)}
            onSaved={() => void reload().then(() => setEditing(false))}
            onFailed={() => void reload()}
          />
        ) : (
          <>
            <AdView ad={ad} onEdit={() => setEditing(true)} />
            {ad.ad_code.trim() !== "" && <AdPreview placement={placement} code={ad.ad_code} />}
          </>
        )}
      </div>
    </PanelSection>
  );
}
