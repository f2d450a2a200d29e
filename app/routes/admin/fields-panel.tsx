import { isCustomField, readFieldDefinitions } from "#app/features/admin/field-definitions.ts";
import { PanelSection } from "#app/features/admin/panel-section.tsx";
import { ReadState } from "#app/features/admin/read-state.tsx";
import { useTableNews } from "#app/features/admin/table-news.ts";
import { useAdminRead } from "#app/features/admin/use-admin-read.ts";
import { AddCustomFieldForm } from "#app/features/admin-fields/add-custom-field-form.tsx";
import { CustomFieldsList } from "#app/features/admin-fields/custom-fields-list.tsx";
import { StandardFields } from "#app/features/admin-fields/standard-fields.tsx";

/** Field Settings (2.admin.14 to .16). */
export function FieldsPanel() {
  const definitions = useAdminRead(readFieldDefinitions, useTableNews("field_definitions"));
  const { reload } = definitions;
  return (
    <ReadState read={definitions} what="Fields">
      {(fields) => (
        <div className="grid gap-5">
          <PanelSection title="Standard Fields">
            <p className="mb-2 text-muted">What the item form shows. Required fields cannot be hidden.</p>
            <StandardFields fields={fields.filter((field) => !isCustomField(field))} reload={reload} />
          </PanelSection>
          <PanelSection title="Custom Fields">
            <CustomFieldsList fields={fields.filter(isCustomField)} reload={reload} />
          </PanelSection>
          <PanelSection title="Add Custom Field">
            <AddCustomFieldForm fields={fields} onAdded={() => void reload()} />
          </PanelSection>
        </div>
      )}
    </ReadState>
  );
}
