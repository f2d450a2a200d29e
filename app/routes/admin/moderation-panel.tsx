import { useState } from "react";
import { PanelSection } from "#app/features/admin/panel-section.tsx";
import { useTableNews } from "#app/features/admin/table-news.ts";
import { useAdminRead } from "#app/features/admin/use-admin-read.ts";
import { ActsSection } from "#app/features/admin-acts/acts-section.tsx";
import { PicturesSection } from "#app/features/moderation/pictures-section.tsx";
import { ReportsSection } from "#app/features/moderation/reports-section.tsx";
import { type Person, SilenceDialog } from "#app/features/moderation/silence-dialog.tsx";
import { readSilences } from "#app/features/moderation/silence-queries.ts";
import { SilencesSection } from "#app/features/moderation/silences-section.tsx";

/** What keeps the place kind: reports, silences, people's pictures, and the list of what admins did. */
export function ModerationPanel() {
  const silences = useAdminRead(readSilences, useTableNews("chat_reports"));
  const [silencing, setSilencing] = useState<Person | null>(null);
  return (
    <div className="grid gap-5">
      <PanelSection title="Reports">
        <ReportsSection silences={silences.data ?? []} onSilence={setSilencing} />
      </PanelSection>
      <PanelSection title="Silenced People">
        <SilencesSection silences={silences} onSilence={setSilencing} />
      </PanelSection>
      <PanelSection title="Pictures of People">
        <PicturesSection />
      </PanelSection>
      <PanelSection title="What Admins Did">
        <ActsSection />
      </PanelSection>
      <SilenceDialog
        person={silencing}
        onSilenced={() => void silences.reload()}
        onClose={() => setSilencing(null)}
      />
    </div>
  );
}
