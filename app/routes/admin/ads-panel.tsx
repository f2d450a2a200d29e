import { ReadState } from "#app/features/admin/read-state.tsx";
import { useTableNews } from "#app/features/admin/table-news.ts";
import { useAdminRead } from "#app/features/admin/use-admin-read.ts";
import { AdCard } from "#app/features/admin-ads/ad-card.tsx";
import { readAds } from "#app/features/admin-ads/ad-writes.ts";

/** Ads Management: a card for each placement (2.admin.17 to .19). */
export function AdsPanel() {
  const ads = useAdminRead(readAds, useTableNews("ads"));
  return (
    <ReadState read={ads} what="Ads">
      {(data) => (
        <div className="grid items-start gap-5 xl:grid-cols-10">
          {data.map((ad) => (
            <AdCard key={ad.id} ad={ad} reload={ads.reload} />
          ))}
        </div>
      )}
    </ReadState>
  );
}
