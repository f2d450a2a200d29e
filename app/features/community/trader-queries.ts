import type { Client } from "#app/features/site/client.ts";
import type { Tables } from "#supabase/database.types.ts";
import type { TraderQuery } from "./trader-query.ts";

/**
 * A rating as others see it, with the trader's answer; `rater` is null if the rater is hidden. `answered_at` stays when
 * the answer is taken back.
 */
export type ShownRating = Pick<
  Tables<"user_ratings">,
  "id" | "rating" | "comment" | "created_at" | "answer" | "answered_at"
> & { rater: string | null };

/** A trader as listed, with the three newest ratings. */
export type Trader = Pick<
  Tables<"profiles">,
  "id" | "username" | "avatar_url" | "rating_count" | "rating_sum"
> & { ratings: ShownRating[] };

/** A trader in full: the number of ratings per star, and one page of ratings. */
export type TraderInFull = Trader & { stars: number[] };

/** Traders per page of the list, and ratings per page of a trader; the database paginates. */
export const TRADERS_A_PAGE = 24;
export const RATINGS_A_PAGE = 20;

/** A page of matching traders, and the number of all matches; null if the read fails. */
export async function listTraders(
  client: Client,
  { search, sort, page }: TraderQuery,
): Promise<{ traders: Trader[]; total: number } | null> {
  const { data, error } = await client.rpc("list_traders", { search, sort, page }, { get: true });
  if (error) return null;
  const traders = data.map(({ recent_ratings, total, ...trader }) => ({
    ...trader,
    ratings: recent_ratings as ShownRating[],
  }));
  return { traders, total: data[0]?.total ?? 0 };
}

/** The listed trader with this name, or `null`; `failed` if the read failed, which is not the same. */
export async function findTrader(
  client: Client,
  username: string,
  page: number,
): Promise<{ trader: TraderInFull | null; failed: boolean }> {
  const { data, error } = await client.rpc("show_trader", { username, page }, { get: true });
  const found = data?.[0];
  if (error || !found) return { trader: null, failed: error !== null };
  const { trader_name, ratings, ...rest } = found;
  return { trader: { ...rest, username: trader_name, ratings: ratings as ShownRating[] }, failed: false };
}

export type OwnRating = Pick<Tables<"user_ratings">, "rating" | "comment" | "created_at">;

/** Reads the user's earlier rating of this trader, if there is one. */
export function readOwnRating(client: Client, raterId: string, traderId: string) {
  return client
    .from("user_ratings")
    .select("rating, comment, created_at")
    .eq("rater_id", raterId)
    .eq("rated_user_id", traderId)
    .maybeSingle();
}

/** Which of these ratings the user gave. @throws the service's error */
export async function listOwnRatings(client: Client, raterId: string, ids: readonly string[]) {
  const own = client.from("user_ratings").select("id").eq("rater_id", raterId).in("id", ids);
  return (await own.throwOnError()).data.map(({ id }) => id);
}

export type NewRating = Pick<Tables<"user_ratings">, "rater_id" | "rated_user_id" | "rating" | "comment">;

/** Adds a rating, or replaces the existing one (P14, P33). */
export async function saveRating(client: Client, rating: NewRating) {
  return await client
    .from("user_ratings")
    .upsert(rating, { onConflict: "rater_id,rated_user_id" })
    .select("comment")
    .single();
}

/** Deletes the user's rating of this trader; succeeds if it is already gone. @throws the service's error */
export async function deleteRating(client: Client, raterId: string, traderId: string): Promise<void> {
  await client
    .from("user_ratings")
    .delete()
    .eq("rater_id", raterId)
    .eq("rated_user_id", traderId)
    .throwOnError();
}
