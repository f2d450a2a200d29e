import { data, type RouterContextProvider, redirect } from "react-router";
import { findTrader } from "#app/features/community/trader-queries.ts";
import { parsePage } from "#app/features/community/trader-query.ts";
import { unavailable } from "#app/features/failed-reads/unavailable.ts";
import { supabaseContext } from "#app/server-context.ts";
import { findUsernameFault } from "#domain/people/username.ts";

const NOT_FOUND = { unavailable: false as const, trader: null, page: 1 };

/**
 * A listed trader with a page of ratings, in one read. 404 for an unknown or unlisted name, 503 when the read failed; a
 * name in another case leads to its own address.
 */
export async function loadTrader(context: Readonly<RouterContextProvider>, username: string, url: string) {
  if (findUsernameFault(username)) return data(NOT_FOUND, { status: 404 });
  const { searchParams, search } = new URL(url);
  const page = parsePage(searchParams);
  const { trader, failed } = await findTrader(context.get(supabaseContext), username, page);
  if (failed) return unavailable();
  if (!trader) return data(NOT_FOUND, { status: 404 });
  if (trader.username !== username) throw redirect(`/community/${trader.username}${search}`, 301);
  return data({ unavailable: false as const, trader, page });
}
