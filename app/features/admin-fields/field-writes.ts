import type { SessionClient } from "#app/features/session/session-client.ts";
import type { NewCustomField } from "#domain/new-custom-field.ts";
import type { FieldDefinition } from "../admin/field-definitions.ts";
import { requireRow } from "../admin/require-row.ts";
import type { Faults } from "../admin/use-admin-form.ts";

/** The database keeps required fields visible, whoever asks (5.customfield.03). */
export async function saveFieldVisible(
  client: SessionClient,
  { id }: FieldDefinition,
  visible: boolean,
): Promise<void> {
  const writing = client.from("field_definitions").update({ visible }).eq("id", id);
  requireRow(await writing.select("id").maybeSingle(), "field");
}

export async function addCustomField(client: SessionClient, field: NewCustomField): Promise<void> {
  requireRow(await client.from("field_definitions").insert(field).select("id").maybeSingle(), "field");
}

/** What items hold in it stays there, hidden, and comes back with it (decision 40). */
export async function removeCustomField(client: SessionClient, { id }: FieldDefinition): Promise<void> {
  const deleting = client.from("field_definitions").delete().eq("id", id);
  requireRow(await deleting.select("id").maybeSingle(), "field");
}

const UNIQUE_VIOLATION = "23505";

/** Another admin may have added it meanwhile. */
export function placeFieldError({ code }: { code?: string }): Faults | null {
  return code === UNIQUE_VIOLATION ? { label: "A field with this name already exists" } : null;
}
