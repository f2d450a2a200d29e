import type { Client } from "#app/features/site/client.ts";
import type { Tables } from "#supabase/database.types.ts";
import { ignoreFailedRead } from "../failed-reads/ignore-failed-read.ts";

export type Category = Tables<"categories">;

/** All categories in display order. @throws the service's error */
export async function readCategories(client: Client): Promise<Category[]> {
  return (await client.from("categories").select("*").order("display_order").throwOnError()).data;
}

/** Categories; empty if the read fails, since items can be shown without them. */
export async function listCategories(client: Client): Promise<Category[]> {
  return readCategories(client).catch(() => []);
}

/** An item's category; null if it has none or the read fails. */
export async function findCategory(client: Client, id: string | null): Promise<Category | null> {
  if (id === null) return null;
  return ignoreFailedRead(await client.from("categories").select("*").eq("id", id).maybeSingle(), null);
}
