import type { SessionClient } from "#app/features/session/session-client.ts";
import { requireRow } from "#app/routes/admin/shared/require-row.ts";
import type { Tables } from "#supabase/database.types.ts";

export type Ad = Tables<"ads">;
type AdInput = Pick<Ad, "ad_code" | "enabled">;

/** All ads by placement (7.read.12). @throws the service's error */
export async function readAds(client: SessionClient): Promise<Ad[]> {
  const { data } = await client.from("ads").select("*").order("placement").throwOnError();
  return data;
}

/** Saves the ad only if it has not changed since it was read. */
export async function saveAd(client: SessionClient, { id, updated_at }: Ad, input: AdInput): Promise<void> {
  const writing = client.from("ads").update(input).eq("id", id).eq("updated_at", updated_at);
  requireRow(await writing.select("id").maybeSingle(), "ad");
}
