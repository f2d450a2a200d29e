import { data, type RouterContextProvider } from "react-router";
import { listTraders } from "#app/features/community/trader-queries.ts";
import { parseTraderQuery } from "#app/features/community/trader-query.ts";
import { unavailable } from "#app/features/failed-reads/unavailable.ts";
import { supabaseContext } from "#app/server-context.ts";

/** A page of traders in one read; status 503 when that failed. */
export async function loadTraders(context: Readonly<RouterContextProvider>, url: string) {
  const query = parseTraderQuery(new URL(url).searchParams);
  const found = await listTraders(context.get(supabaseContext), query);
  return found ? data({ unavailable: false as const, query, ...found }) : unavailable();
}
