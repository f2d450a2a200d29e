import { useState } from "react";
import { ActsSection } from "#app/routes/admin/acts/acts-section.tsx";
import { PanelSection } from "#app/routes/admin/shared/panel-section.tsx";
import { PicturesSection } from "./pictures-section.tsx";
import { ReportsSection } from "./reports-section.tsx";
import { type Person, SilenceDialog } from "./silence-dialog.tsx";
import { SilencesSection } from "./silences-section.tsx";

/** What keeps the place kind: reports, silences, people's pictures, and the list of what admins did. */
export function ModerationPanel() {
  const [silencing, setSilencing] = useState<Person | null>(null);
  return (
    <div className="grid gap-5">
      <PanelSection title="Reports">
        <ReportsSection onSilence={setSilencing} />
      </PanelSection>
      <PanelSection title="Silenced People">
        <SilencesSection onSilence={setSilencing} />
      </PanelSection>
      <PanelSection title="Pictures of People">
        <PicturesSection />
      </PanelSection>
      <PanelSection title="What Admins Did">
        <ActsSection />
      </PanelSection>
      <SilenceDialog person={silencing} onClose={() => setSilencing(null)} />
    </div>
  );
}
