import type { SupabaseClient } from "@supabase/supabase-js";
import type { ConfiguredPage } from "#domain/fields/field-visibility.ts";
import type { Database, Tables } from "#supabase/database.types.ts";

type Client = SupabaseClient<Database>;

export type StoredConfiguration = Tables<"page_configurations">;

/** The configurations of all pages (7.read.04). @throws what the service answered */
export async function listPageConfigurations(client: Client): Promise<StoredConfiguration[]> {
  return (await client.from("page_configurations").select("*").throwOnError()).data;
}

/** Saves the fields that a page shows (7.write.07). @throws what the service answered */
export async function savePageConfiguration(
  client: Client,
  page_name: ConfiguredPage,
  visible_fields: string[],
): Promise<void> {
  await client
    .from("page_configurations")
    .upsert({ page_name, visible_fields }, { onConflict: "page_name" })
    .throwOnError();
}
