import { useRead } from "#app/features/live/use-read.ts";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { AdCard } from "./ad-card.tsx";
import { readAds } from "./ad-queries.ts";

/** Ads Management: a card for each placement (2.admin.17 to .19). */
export function AdsPanel() {
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
