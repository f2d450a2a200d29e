import { PanelSection } from "#app/routes/admin/shared/panel-section.tsx";
import { DecidedSection } from "./decided-section.tsx";
import { WaitingPictures } from "./pictures/waiting-pictures.tsx";
import { PublicName } from "./public-name.tsx";
import { PublishedSection } from "./sets/published-section.tsx";
import { SetsSection } from "./sets/sets-section.tsx";
import { WaitingSection } from "./waiting-section.tsx";
import "#app/routes/admin/shared/desk.css";

/** What waits for a second person, sets for an update day, what was published lately and can be taken back, and one's public name (P110–P112, P150). */
export function ProposalsPanel() {
  return (
    <div className="grid grid-cols-1 gap-5">
      <PanelSection title="Waiting for a Second Person">
        <WaitingSection />
      </PanelSection>
      <PanelSection title="Pictures as Evidence">
        <WaitingPictures />
      </PanelSection>
      <PanelSection title="Sets">
        <SetsSection />
      </PanelSection>
      <PanelSection title="Published Lately">
        <PublishedSection />
      </PanelSection>
      <PanelSection title="Decided">
        <DecidedSection />
      </PanelSection>
      <PanelSection title="Your Public Name">
        <PublicName />
      </PanelSection>
    </div>
  );
}
