import type { Client } from "#app/features/site/client.ts";
import { ignoreFailedRead } from "../failed-reads/ignore-failed-read.ts";
import type { Placement } from "./placement.ts";

/** The state of a slot: `off` if the operator disabled it (P55), `empty` for its placeholder, `filled` with an ad. */
export type AdState = "off" | "empty" | "filled";

/** The HTML of a placement's ad; null if there is none or the read fails (4.ad.01–02, 7.read.11). */
export async function findAdCode(client: Client, placement: Placement): Promise<string | null> {
  const ad = await findAd(client, placement);
  return stateOf(ad) === "filled" ? (ad?.ad_code ?? null) : null;
}

/** The states of several placements' slots. The code itself is sent only to the ad's own frame. */
export async function findAdStates<P extends Placement>(
  client: Client,
  placements: readonly P[],
): Promise<Record<P, AdState>> {
  const states = placements.map(async (placement) => [placement, stateOf(await findAd(client, placement))]);
  return Object.fromEntries(await Promise.all(states));
}

type Ad = { ad_code: string | null; enabled: boolean };

async function findAd(client: Client, placement: Placement): Promise<Ad | null> {
  const answer = await client.from("ads").select("ad_code, enabled").eq("placement", placement).single();
  return ignoreFailedRead(answer, null);
}

/** An ad that could not be read shows its placeholder (P30). */
function stateOf(ad: Ad | null): AdState {
  if (ad && !ad.enabled) return "off";
  return ad?.ad_code?.trim() ? "filled" : "empty";
}
