import { useState } from "react";
import { useRead, useRefresh } from "#app/features/live/use-read.ts";
import {
  type FieldDefinition,
  isCustomField,
  readFieldDefinitions,
} from "#app/routes/admin/shared/field-definitions.ts";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { Badge } from "#app/ui/badge.tsx";
import { CheckboxField } from "#app/ui/form/checkbox-field.tsx";
import { SectionCard } from "#app/ui/section-card.tsx";
import { AddCustomFieldForm, CustomFieldsList } from "./custom-fields.tsx";
import { saveFieldVisible } from "./field-writes.ts";

/** Field Settings (2.admin.14 to .16). */
export default function FieldsPanel() {
  const definitions = useRead(["field_definitions"], readFieldDefinitions);
  const refresh = useRefresh();
  return (
    <ReadState read={definitions} what="Fields">
      {(fields) => (
        <div className="grid gap-5">
          <SectionCard title="Standard Fields">
            <p className="mb-2 text-muted">What the item form shows. Required fields cannot be hidden.</p>
            <StandardFields fields={fields.filter((field) => !isCustomField(field))} />
          </SectionCard>
          <SectionCard title="Custom Fields">
            <CustomFieldsList fields={fields.filter(isCustomField)} />
          </SectionCard>
          <SectionCard title="Add Custom Field">
            <AddCustomFieldForm fields={fields} onAdded={() => void refresh("field_definitions")} />
          </SectionCard>
        </div>
      )}
    </ReadState>
  );
}

type StandardFieldsProps = { fields: readonly FieldDefinition[] };

/** Which standard fields the item form shows (2.admin.14). */
function StandardFields({ fields }: StandardFieldsProps) {
  return (
    <ul className="grid gap-x-6 sm:grid-cols-2 lg:grid-cols-4">
      {fields.map((field) => (
        <li key={field.id}>
          <FieldSwitch field={field} />
        </li>
      ))}
    </ul>
  );
}

/** Saved at once; reverts if it could not be saved. */
function FieldSwitch({ field }: { field: FieldDefinition }) {
  const { act } = useAct("field_definitions");
  const [wanted, setWanted] = useState<boolean | null>(null);

  async function show(visible: boolean) {
    setWanted(visible);
    await act(
      (client) => saveFieldVisible(client, field, visible),
      "Field settings saved",
      `The item form ${visible ? "shows" : "hides"} ${field.label}.`,
    );
    setWanted(null);
  }

  return (
    <CheckboxField
      label={
        <>
          {field.label} {field.required && <Badge className="ml-1">Required</Badge>}
        </>
      }
      checked={wanted ?? field.visible}
      disabled={field.required}
      onChange={(event) => wanted === null && void show(event.target.checked)}
    />
  );
}
