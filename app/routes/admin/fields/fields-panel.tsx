import { useState } from "react";
import { useKeptText } from "#app/features/browser-storage/use-kept-text.ts";
import { useRead, useRefresh } from "#app/features/live/use-read.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { ConfirmDialog } from "#app/routes/admin/shared/confirm-dialog.tsx";
import {
  type FieldDefinition,
  isCustomField,
  readFieldDefinitions,
} from "#app/routes/admin/shared/field-definitions.ts";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { isAddedAlready, requireRow } from "#app/routes/admin/shared/require-row.ts";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { useRepeatable } from "#app/routes/admin/shared/use-repeatable.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { CheckboxField } from "#app/ui/form/checkbox-field.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { SelectField } from "#app/ui/form/select-field.tsx";
import { TextArea, TextField } from "#app/ui/form/text-field.tsx";
import { useFocusFallback } from "#app/ui/form/use-focus-fallback.ts";
import { SectionCard } from "#app/ui/section-card.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { FIELD_TYPES, type NewCustomField, newCustomFieldSchema } from "#domain/fields/new-custom-field.ts";
import { titled } from "#domain/text/words.ts";

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

/** Which standard fields the item form shows (2.admin.14). */
function StandardFields({ fields }: { fields: readonly FieldDefinition[] }) {
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

/** The custom fields with their types (2.admin.15). */
function CustomFieldsList({ fields }: { fields: readonly FieldDefinition[] }) {
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
            <span className="min-room-40 flex-1 wrap-anywhere">
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

/** Name, type and, for a select, its options (2.admin.16). */
function AddCustomFieldForm({ fields, onAdded }: { fields: readonly FieldDefinition[]; onAdded(): void }) {
  const userId = useSession().session?.user.id;
  const label = useKeptText(`field name by ${userId}`);
  const type = useKeptText(`field type by ${userId}`);
  const options = useKeptText(`field options by ${userId}`);
  const { send, isOwn } = useRepeatable({ add: addCustomField, find: findCustomField });
  const { form, button } = useSessionForm({
    invalidTitle: "Validation Error",
    schema: async () => newCustomFieldSchema(fields.filter((field) => !isOwn(field))),
    send,
    done() {
      for (const each of [label, type, options]) each.forget();
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
          value={label.text ?? ""}
          onChange={(event) => label.type(event.target.value)}
        />
        <SelectField
          label="Type"
          name="type"
          required
          options={TYPES}
          value={type.text ?? "text"}
          onChange={(event) => type.type(event.target.value)}
        />
      </div>
      {type.text === "select" && (
        <TextArea
          label="Options"
          name="options"
          required
          rows={4}
          hint="One option per line."
          value={options.text ?? ""}
          onChange={(event) => options.type(event.target.value)}
        />
      )}
      <Button {...button} variant="primary" className="justify-self-start">
        Add Field
      </Button>
    </Form>
  );
}

/** The database keeps required fields visible, for any caller (5.customfield.03). */
async function saveFieldVisible(
  client: SessionClient,
  { id }: FieldDefinition,
  visible: boolean,
): Promise<void> {
  const writing = client.from("field_definitions").update({ visible }).eq("id", id);
  requireRow(await writing.select("id").maybeSingle(), "field");
}

/** Another admin may have added it meanwhile. */
const TAKEN = { field: "label", message: "A field with this name already exists" };

async function addCustomField(
  client: SessionClient,
  field: NewCustomField,
  isRepeat: boolean,
): Promise<void> {
  const answer = await client.from("field_definitions").insert(field).select("id").maybeSingle();
  if (await isAddedAlready(answer, isRepeat, field, () => findCustomField(client, field))) return;
  requireRow(answer, "field", TAKEN);
}

async function findCustomField(client: SessionClient, { name }: NewCustomField) {
  const definitions = client.from("field_definitions").select("*");
  return (await definitions.eq("name", name).maybeSingle().throwOnError()).data;
}

/** Its values in items are kept, hidden, and come back with it (P40). */
async function removeCustomField(client: SessionClient, { id }: FieldDefinition): Promise<void> {
  const deleting = client.from("field_definitions").delete().eq("id", id);
  requireRow(await deleting.select("id").maybeSingle(), "field");
}
