import type { SessionClient } from "#app/features/session/session-client.ts";
import type { FieldDefinition } from "#app/routes/admin/shared/field-definitions.ts";
import { requireRow } from "#app/routes/admin/shared/require-row.ts";
import type { NewCustomField } from "#domain/fields/new-custom-field.ts";

/** The database keeps required fields visible, for any caller (5.customfield.03). */
export async function saveFieldVisible(
  client: SessionClient,
  { id }: FieldDefinition,
  visible: boolean,
): Promise<void> {
  const writing = client.from("field_definitions").update({ visible }).eq("id", id);
  requireRow(await writing.select("id").maybeSingle(), "field");
}

/** Another admin may have added it meanwhile. */
const TAKEN = { field: "label", message: "A field with this name already exists" };

export async function addCustomField(client: SessionClient, field: NewCustomField): Promise<void> {
  const adding = client.from("field_definitions").insert(field);
  requireRow(await adding.select("id").maybeSingle(), "field", TAKEN);
}

/** Its values in items are kept, hidden, and come back with it (P40). */
export async function removeCustomField(client: SessionClient, { id }: FieldDefinition): Promise<void> {
  const deleting = client.from("field_definitions").delete().eq("id", id);
  requireRow(await deleting.select("id").maybeSingle(), "field");
}
