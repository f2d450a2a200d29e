import { useState } from "react";
import { AD_SIZES, type AdSize, PLACEMENT_SIZES, type Placement } from "#app/features/ads/placement.ts";
import { useRead } from "#app/features/live/use-read.ts";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { useReturnedFocus } from "#app/routes/admin/shared/use-returned-focus.ts";
import { Badge } from "#app/ui/badge.tsx";
import { SectionCard } from "#app/ui/section-card.tsx";
import { titled } from "#domain/text/words.ts";
import { AdForm } from "./ad-form.tsx";
import { type Ad, readAds } from "./ad-queries.ts";
import { AdView } from "./ad-view.tsx";

/** Ads Management: a card per placement (2.admin.17 to .19). */
export default function AdsPanel() {
  const ads = useRead(["ads"], readAds);
  return (
    <ReadState read={ads} what="Ads">
      {(data) => (
        <div className="grid items-start gap-5 xl:grid-cols-10">
          {data.map((ad) => (
            <AdCard key={ad.id} ad={ad} />
          ))}
        </div>
      )}
    </ReadState>
  );
}

/** Where visitors see each placement. */
const PLACES: Record<Placement, string> = {
  values_grid: "Values: after every 8th card",
  detail_header: "Item page: under the name",
  detail_content: "Item page: between the sections",
  detail_sidebar: "Item page: beside the text",
};

/** Column spans out of ten, so that each preview has its full width beside another card. */
const COLUMNS: Record<AdSize, string> = {
  banner: "xl:col-span-5",
  square: "xl:col-span-3",
  leaderboard: "xl:col-span-7",
};

/** A placement with its ad: view, edit, view again. */
function AdCard({ ad }: { ad: Ad }) {
  const [isEditing, setEditing] = useState(false);
  const card = useReturnedFocus<HTMLDivElement>(isEditing ? ad.id : null);
  const placement = ad.placement as Placement;
  const size = PLACEMENT_SIZES[placement];
  const { width, height } = AD_SIZES[size];
  return (
    <SectionCard
      className={COLUMNS[size]}
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
          {PLACES[placement]}, {size} of{" "}
          <span className="whitespace-nowrap">
            {width} × {height} px
          </span>
        </p>
        {isEditing ? (
          <AdForm ad={ad} onClose={() => setEditing(false)} />
        ) : (
          <AdView ad={ad} onEdit={() => setEditing(true)} />
        )}
      </div>
    </SectionCard>
  );
}
