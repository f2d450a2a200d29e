import { useState } from "react";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import type { FieldDefinition } from "#app/routes/admin/shared/field-definitions.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { SelectField } from "#app/ui/select-field.tsx";
import { TextArea, TextField } from "#app/ui/text-field.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { FIELD_TYPES, newCustomFieldSchema } from "#domain/fields/new-custom-field.ts";
import { titled } from "#domain/text/words.ts";
import { addCustomField } from "./field-writes.ts";

const TYPES = FIELD_TYPES.map((type) => ({ value: type, label: titled(type) }));

type AddCustomFieldFormProps = { fields: readonly FieldDefinition[]; onAdded(): void };

/** Name, type and, for a select, its options (2.admin.16). */
export function AddCustomFieldForm({ fields, onAdded }: AddCustomFieldFormProps) {
  const [type, setType] = useState("text");
  const { form, button } = useSessionForm({
    invalidTitle: "Validation Error",
    schema: newCustomFieldSchema(fields),
    send: addCustomField,
    done(_answer, _input, element) {
      element.reset();
      setType("text");
      showToast({ title: "Custom field added successfully" });
      onAdded();
    },
  });
  return (
    <Form {...form} aria-label="Add custom field" className="grid gap-4">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          label="Field name"
          name="label"
          required
          autoComplete="off"
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
        <TextArea label="Options" name="options" required rows={4} hint="One option per line." />
      )}
      <Button {...button} variant="primary" className="justify-self-start">
        Add Field
      </Button>
    </Form>
  );
}
