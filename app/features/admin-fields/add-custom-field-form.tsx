import { useState } from "react";
import { Button } from "#app/ui/button.tsx";
import { SelectField } from "#app/ui/select-field.tsx";
import { TextArea, TextField } from "#app/ui/text-field.tsx";
import { showToast } from "#app/ui/toast-store.ts";
import { FIELD_TYPES, newCustomFieldSchema } from "#domain/new-custom-field.ts";
import { titled } from "#domain/words.ts";
import type { FieldDefinition } from "../admin/field-definitions.ts";
import { parseForm } from "../admin/parse-form.ts";
import { useAdminForm } from "../admin/use-admin-form.ts";
import { addCustomField, placeFieldError } from "./field-writes.ts";

const TYPES = FIELD_TYPES.map((type) => ({ value: type, label: titled(type) }));

type AddCustomFieldFormProps = { fields: readonly FieldDefinition[]; onAdded(): void };

/** Name, type and, for a select, its options (2.admin.16). */
export function AddCustomFieldForm({ fields, onAdded }: AddCustomFieldFormProps) {
  const [type, setType] = useState("text");
  const { form, faults, isBusy } = useAdminForm({
    read: (data) => parseForm(newCustomFieldSchema(fields), Object.fromEntries(data)),
    save: addCustomField,
    placeError: placeFieldError,
    done(_, element) {
      element.reset();
      setType("text");
      showToast({ title: "Custom field added successfully" });
      onAdded();
    },
  });
  return (
    <form {...form} aria-label="Add custom field" className="grid gap-4">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          label="Field name"
          name="label"
          required
          autoComplete="off"
          error={faults.label}
          hint="Letters, numbers and spaces, such as Trade Volume."
        />
        <SelectField
          label="Type"
          name="type"
          required
          options={TYPES}
          value={type}
          onChange={(event) => setType(event.target.value)}
        />
      </div>
      {type === "select" && (
        <TextArea
          label="Options"
          name="options"
          required
          rows={4}
          error={faults.options}
          hint="One option per line."
        />
      )}
      <Button type="submit" variant="primary" disabled={isBusy} className="justify-self-start">
        Add Field
      </Button>
    </form>
  );
}
