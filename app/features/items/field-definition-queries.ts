import type { Client } from "#app/features/site/client.ts";
import { ignoreFailedRead } from "../failed-reads/ignore-failed-read.ts";

/** The labels of the custom fields there are, by key, in their order. */
export type CustomFieldLabels = Record<string, string>;

/** A removed field is not among them, which hides its stored values (P40); null when the read fails. */
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
