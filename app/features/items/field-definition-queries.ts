import type { Client } from "#app/features/site/client.ts";
import { ignoreFailedRead } from "../failed-reads/ignore-failed-read.ts";

/** The labels of the existing custom fields by key, in order. */
export type CustomFieldLabels = Record<string, string>;

/** Removed fields are not included, which hides their stored values (P40); null if the read fails. */
export async function findCustomFieldLabels(client: Client): Promise<CustomFieldLabels | null> {
  const answer = await client
    .from("field_definitions")
    .select("name, label")
    .like("name", "custom_*")
    .order("display_order")
    .order("name");
  const definitions = ignoreFailedRead(answer, null);
  return definitions && Object.fromEntries(definitions.map(({ name, label }) => [name, label]));
}
