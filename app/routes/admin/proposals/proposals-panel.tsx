import { SectionCard } from "#app/ui/section-card.tsx";
import { DecidedSection } from "./decided-section.tsx";
import { WaitingPictures } from "./pictures/waiting-pictures.tsx";
import { PublicName } from "./public-name.tsx";
import { PublishedSection } from "./sets/published-section.tsx";
import { SetsSection } from "./sets/sets-section.tsx";
import { WaitingSection } from "./waiting-section.tsx";
import "#app/routes/admin/shared/desk.css";

const SECTIONS = [
  ["Waiting for a Second Person", WaitingSection],
  ["Pictures as Evidence", WaitingPictures],
  ["Sets", SetsSection],
  ["Published Lately", PublishedSection],
  ["Decided", DecidedSection],
  ["Your Public Name", PublicName],
] as const;

/**
 * What waits for a second person, sets for an update day, what was published lately and can be undone, and one's public
 * name (P110–P112, P150).
 */
export default function ProposalsPanel() {
  return (
    <div className="grid grid-cols-1 gap-5">
      {SECTIONS.map(([title, Section]) => (
        <SectionCard key={title} title={title}>
          <Section />
        </SectionCard>
      ))}
    </div>
  );
}
