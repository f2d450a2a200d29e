import { useSession } from "#app/features/session/use-session.ts";
import { ActsSection } from "#app/routes/admin/acts/acts-section.tsx";
import { PanelSection } from "#app/routes/admin/shared/panel-section.tsx";
import { WordsSection } from "#app/routes/admin/words/words-section.tsx";
import { AppealsSection } from "./appeals-section.tsx";
import { DeskSection } from "./desk-section.tsx";
import { PicturesSection } from "./pictures-section.tsx";
import { SilencesSection } from "./silences-section.tsx";
import { WaitingPictures } from "./waiting-pictures.tsx";
import "#app/routes/admin/shared/desk.css";

/** What keeps the place kind: reports by person, appeals, silences, people's pictures, words, and the list of what was done. */
export function ModerationPanel() {
  const isAdmin = useSession().isAdmin === true;
  return (
    <div className="grid grid-cols-1 gap-5">
      <PanelSection title="Reports">
        <DeskSection />
      </PanelSection>
      <PanelSection title="Appeals">
        <AppealsSection />
      </PanelSection>
      <PanelSection title="Silenced People">
        <SilencesSection />
      </PanelSection>
      <PanelSection title="Profile Pictures">
        <WaitingPictures />
        <PicturesSection />
      </PanelSection>
      {isAdmin && (
        <PanelSection title="Words People Ask For">
          <WordsSection />
        </PanelSection>
      )}
      <PanelSection title={isAdmin ? "What Admins Did" : "What Was Done"}>
        <ActsSection />
      </PanelSection>
    </div>
  );
}
