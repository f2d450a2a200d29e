import { useState } from "react";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { ConfirmDialog } from "#app/routes/admin/shared/confirm-dialog.tsx";
import type { FieldDefinition } from "#app/routes/admin/shared/field-definitions.ts";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { useFocusFallback } from "#app/routes/admin/shared/use-focus-fallback.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { SelectField } from "#app/ui/form/select-field.tsx";
import { TextArea, TextField } from "#app/ui/form/text-field.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { FIELD_TYPES, newCustomFieldSchema } from "#domain/fields/new-custom-field.ts";
import { titled } from "#domain/text/words.ts";
import { addCustomField, removeCustomField } from "./field-writes.ts";

/** The custom fields with their types (2.admin.15). */
export function CustomFieldsList({ fields }: { fields: readonly FieldDefinition[] }) {
  const { isBusy, act } = useAct("field_definitions");
  const [removing, setRemoving] = useState<FieldDefinition | null>(null);
  const caught = useFocusFallback(fields, removing);

  async function remove(field: FieldDefinition) {
    await act((client) => removeCustomField(client, field), "Custom field removed");
    setRemoving(null);
  }

  return (
    <div {...caught}>
      {fields.length === 0 && <p className="text-muted">No custom fields yet. Add the first one below.</p>}
      <ul className="divide-y divide-line">
        {fields.map((field) => (
          <li key={field.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2.5">
            <span className="min-w-40 flex-1 wrap-anywhere">
              <span className="font-semibold">{field.label}</span>{" "}
              <Badge className="ml-1">{titled(field.type)}</Badge>
              <span className="block text-muted text-sm">
                {field.name}
                {field.options.length > 0 && `: ${field.options.join(", ")}`}
              </span>
            </span>
            <Button
              size="sm"
              variant="ghost"
              className="ml-auto"
              aria-label={`Remove ${field.label}`}
              onClick={() => setRemoving(field)}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={removing !== null}
        title={`Remove the field ${removing?.label ?? ""}?`}
        confirm="Remove"
        isBusy={isBusy}
        onConfirm={() => removing && void remove(removing)}
        onClose={() => setRemoving(null)}
      >
        <p>
          It disappears from the item form, cards and item pages. What items hold in it is kept, and comes
          back with a field of the same name.
        </p>
      </ConfirmDialog>
    </div>
  );
}

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
