import type { Client } from "#app/features/site/client.ts";
import type { ConfiguredPage, PageConfiguration } from "#domain/fields/field-visibility.ts";
import { ignoreFailedRead } from "../failed-reads/ignore-failed-read.ts";

/** The fields that a page shows; null, meaning all, if nothing was saved or the read fails (7.read.02–03). */
export async function findPageConfiguration(
  client: Client,
  page: ConfiguredPage,
): Promise<PageConfiguration> {
  const answer = await client
    .from("page_configurations")
    .select("visible_fields")
    .eq("page_name", page)
    .maybeSingle();
  return ignoreFailedRead(answer, null)?.visible_fields ?? null;
}
