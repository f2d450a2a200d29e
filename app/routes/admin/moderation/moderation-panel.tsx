import { useSession } from "#app/features/session/use-session.ts";
import { ActsSection } from "#app/routes/admin/acts/acts-section.tsx";
import { WordsSection } from "#app/routes/admin/words/words-section.tsx";
import { SectionCard } from "#app/ui/section-card.tsx";
import { AppealsSection } from "./appeals-section.tsx";
import { DeskSection } from "./desk-section.tsx";
import { PicturesSection, WaitingPictures } from "./pictures-section.tsx";
import { SilencesSection } from "./silences-section.tsx";
import "#app/routes/admin/shared/desk.css";

/** Moderation: reports by user, appeals, silences, pictures, words, and the log of actions. */
export default function ModerationPanel() {
  const isAdmin = useSession().isAdmin === true;
  return (
    <div className="grid grid-cols-1 gap-5">
      <SectionCard title="Reports">
        <DeskSection />
      </SectionCard>
      <SectionCard title="Appeals">
        <AppealsSection />
      </SectionCard>
      <SectionCard title="Silenced People">
        <SilencesSection />
      </SectionCard>
      <SectionCard title="Profile Pictures">
        <WaitingPictures />
        <PicturesSection />
      </SectionCard>
      {isAdmin && (
        <SectionCard title="Words People Ask For">
          <WordsSection />
        </SectionCard>
      )}
      <SectionCard title={isAdmin ? "What Admins Did" : "What Was Done"}>
        <ActsSection />
      </SectionCard>
    </div>
  );
}
