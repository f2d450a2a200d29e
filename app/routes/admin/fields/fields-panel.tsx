import { useRead, useRefresh } from "#app/features/live/use-read.ts";
import { isCustomField, readFieldDefinitions } from "#app/routes/admin/shared/field-definitions.ts";
import { PanelSection } from "#app/routes/admin/shared/panel-section.tsx";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { AddCustomFieldForm } from "./add-custom-field-form.tsx";
import { CustomFieldsList } from "./custom-fields-list.tsx";
import { StandardFields } from "./standard-fields.tsx";

/** Field Settings (2.admin.14 to .16). */
export function FieldsPanel() {
  const definitions = useRead(["field_definitions"], readFieldDefinitions);
  const refresh = useRefresh();
  return (
    <ReadState read={definitions} what="Fields">
      {(fields) => (
        <div className="grid gap-5">
          <PanelSection title="Standard Fields">
            <p className="mb-2 text-muted">What the item form shows. Required fields cannot be hidden.</p>
            <StandardFields fields={fields.filter((field) => !isCustomField(field))} />
          </PanelSection>
          <PanelSection title="Custom Fields">
            <CustomFieldsList fields={fields.filter(isCustomField)} />
          </PanelSection>
          <PanelSection title="Add Custom Field">
            <AddCustomFieldForm fields={fields} onAdded={() => void refresh("field_definitions")} />
          </PanelSection>
        </div>
      )}
    </ReadState>
  );
}
