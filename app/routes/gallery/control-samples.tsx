import { useState } from "react";
import { Button, type ButtonSize, type ButtonVariant } from "#app/ui/button.tsx";
import { ChoiceGroup } from "#app/ui/choice.tsx";
import { CheckboxField } from "#app/ui/form/checkbox-field.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { SelectField } from "#app/ui/form/select-field.tsx";
import { TextArea, TextField } from "#app/ui/form/text-field.tsx";
import { LinkButton } from "#app/ui/link-button.tsx";
import { SearchField } from "#app/ui/search-field.tsx";
import { SegmentedControl } from "#app/ui/segmented-control.tsx";
import { TabStrip } from "#app/ui/tab-strip.tsx";
import { VIEW_MODE_LABELS, VIEW_MODES } from "#domain/values/view-mode.ts";
import { Sample, Samples } from "./sample.tsx";

const VARIANTS: ButtonVariant[] = ["primary", "secondary", "ghost", "danger"];
const SIZES: ButtonSize[] = ["sm", "md", "lg"];
const MODES = VIEW_MODES.map((value) => ({ value, label: VIEW_MODE_LABELS[value] }));
const TABS = [
  "All Items",
  "Mythical Fruits",
  "Legendary Fruits",
  "Rare Fruits",
  "Gamepasses",
  "Limiteds",
  "Tokens",
].map((label) => ({ value: label, label, icon: label === "All Items" ? undefined : "🍎" }));

export function ControlSamples() {
  return (
    <Samples title="Controls">
      <Buttons />
      <Choices />
      <Fields />
    </Samples>
  );
}

function Buttons() {
  return (
    <>
      {VARIANTS.map((variant) => (
        <Sample key={variant} of={`Button, LinkButton: ${variant}`}>
          {SIZES.map((size) => (
            <Button key={size} variant={variant} size={size}>
              Save Trade
            </Button>
          ))}
          <Button variant={variant} size="icon" aria-label="Add">
            +
          </Button>
          <Button variant={variant} disabled>
            Disabled
          </Button>
          <LinkButton variant={variant} to="/values">
            Browse Values
          </LinkButton>
        </Sample>
      ))}
    </>
  );
}

function Choices() {
  const [mode, setMode] = useState(VIEW_MODES[0] as (typeof VIEW_MODES)[number]);
  const [tab, setTab] = useState("All Items");
  return (
    <>
      <Sample of="SegmentedControl: normal, compact">
        <SegmentedControl label="View mode" options={MODES} value={mode} onChange={setMode} />
        <div className="w-44">
          <SegmentedControl
            label="View mode of Kitsune"
            options={MODES}
            value={mode}
            onChange={setMode}
            size="compact"
          />
        </div>
      </Sample>
      <Sample of="TabStrip">
        <div className="w-full">
          <TabStrip label="Categories" tabs={TABS} value={tab} onSelect={setTab} panelId="gallery-panel" />
          <p id="gallery-panel" role="tabpanel" className="pt-3">
            {tab}
          </p>
        </div>
      </Sample>
    </>
  );
}

function Fields() {
  const [text, setText] = useState("Kitsune for Control");
  return (
    <Sample of="SearchField, TextField, TextArea, SelectField, CheckboxField, ChoiceGroup: empty, filled, wrong, too long, disabled">
      <div className="grid w-full gap-4 md:grid-cols-2">
        <SearchField label="Search items" placeholder="Search items..." />
        <TextField
          label="Subject"
          limit={200}
          value={text}
          onChange={(event) => setText(event.target.value)}
          required
        />
        <Form faults={{ email: "Enter a valid email address" }}>
          <TextField label="Email" name="email" defaultValue="captain" required />
        </Form>
        <TextField label="Name" hint="As in the game" disabled defaultValue="Anne" />
        <TextArea label="Message" limit={20} value={text} onChange={(event) => setText(event.target.value)} />
        <SelectField label="View mode" options={MODES} />
        <CheckboxField label="Enabled" hint="Visitors see it at once" defaultChecked />
        <ChoiceGroup legend="View mode" name="mode" options={MODES} />
      </div>
    </Sample>
  );
}
