import type { SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "#supabase/database.types.ts";
import { ignoreFailedRead } from "../failed-reads/ignore-failed-read.ts";
import type { Placement } from "./placement.ts";

/**
 * The HTML of a placement's ad; null when it is disabled, blank or missing, or when the read fails: then the slot
 * shows its placeholder (4.ad.01–02, 7.read.11).
 */
export async function findAdCode(
  client: SupabaseClient<Database>,
  placement: Placement,
): Promise<string | null> {
  const answer = await client.from("ads").select("ad_code, enabled").eq("placement", placement).single();
  const ad = ignoreFailedRead(answer, null);
  return ad?.enabled && ad.ad_code?.trim() ? ad.ad_code : null;
}

/** Which of some placements have an ad to show. The code itself is only sent to the ad's own frame. */
export async function listFilledPlacements(
  client: SupabaseClient<Database>,
  placements: readonly Placement[],
): Promise<Placement[]> {
  const codes = await Promise.all(placements.map((placement) => findAdCode(client, placement)));
  return placements.filter((_placement, index) => codes[index] !== null);
}
