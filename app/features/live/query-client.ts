import { notifyManager, QueryClient } from "@tanstack/react-query";
import type { Database } from "#supabase/database.types.ts";

/** What a query shows, the first part of its key: a table or a bucket. */
export type Shown = keyof Database["public"]["Tables"] | "avatars";
export type ReadKey = readonly [Shown, ...unknown[]];

/** Tables whose content may change along with another table. */
const FOLLOWING: Partial<Record<Shown, readonly Shown[]>> = {
  items: ["archived_items", "item_imports", "item_value_changes", "work_skips"],
  value_proposals: ["value_sets", "change_pictures"],
  reports: ["chat_silences"],
  sanctions: ["chat_silences", "reports"],
  case_notes: ["sanctions"],
  second_opinions: ["sanctions"],
};

/** The queries of one screen and one user. They are refetched when the page becomes visible or online again. */
export function createQueryClient(): QueryClient {
  // Results are shown before anything that awaited them continues.
  notifyManager.setScheduler(queueMicrotask);
  return new QueryClient({
    defaultOptions: {
      // The official client retries by itself; a query without a connection fails instead of waiting for one.
      queries: { retry: false, networkMode: "always", refetchOnReconnect: true },
      mutations: { networkMode: "always" },
    },
  });
}

/** Refetches the queries that show these; resolves when the results are shown, and never rejects. */
export async function refresh(queries: QueryClient, ...changed: Shown[]): Promise<void> {
  const all = new Set(changed.flatMap((table) => [table, ...(FOLLOWING[table] ?? [])]));
  await Promise.all([...all].map((table) => readAgain(queries, table)));
}

async function readAgain(queries: QueryClient, table: Shown): Promise<void> {
  const queryKey = [table];
  // A first fetch in progress is not restarted, though it may have begun before the change: another one follows it.
  const isFirst = queries.isFetching({ queryKey, predicate: ({ state }) => state.data === undefined }) > 0;
  await queries.invalidateQueries({ queryKey });
  if (isFirst) await queries.invalidateQueries({ queryKey });
}
