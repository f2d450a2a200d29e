import { writeKept } from "#app/features/browser-storage/kept.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import type { Tables } from "#supabase/database.types.ts";

export type FieldDefinition = Pick<
  Tables<"field_definitions">,
  "id" | "name" | "label" | "type" | "options" | "visible" | "required" | "display_order"
>;

/** The fields of the item form, in order; a copy is stored in this browser (P17). @throws the service's error */
export async function readFieldDefinitions(client: SessionClient): Promise<FieldDefinition[]> {
  const { data } = await client
    .from("field_definitions")
    .select("id, name, label, type, options, visible, required, display_order")
    .order("display_order")
    .order("name")
    .throwOnError();
  keepFieldConfig(data);
  return data;
}

/** The copy that 3.fieldconfig.01 asks for; the table is authoritative, so the copy is only ever written. */
function keepFieldConfig(definitions: readonly FieldDefinition[]): void {
  const config = definitions.map(({ name, label, type, options, visible, required }) => ({
    name,
    label,
    type,
    ...(type === "select" ? { options } : {}),
    visible,
    required,
  }));
  writeKept("adminFieldConfig", JSON.stringify(config));
}

export function isCustomField({ name }: Pick<FieldDefinition, "name">): boolean {
  return name.startsWith("custom_");
}
