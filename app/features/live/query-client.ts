import { notifyManager, QueryClient } from "@tanstack/react-query";
import type { Database } from "#supabase/database.types.ts";

/** What a read shows, which begins its key: a table, or a bucket. */
export type Shown = keyof Database["public"]["Tables"] | "avatars";
export type ReadKey = readonly [Shown, ...unknown[]];

/** What else may differ when a table has changed. */
const FOLLOWING: Partial<Record<Shown, readonly Shown[]>> = {
  items: ["archived_items", "item_value_changes", "work_skips"],
  value_proposals: ["value_sets", "change_pictures"],
  reports: ["chat_silences"],
  sanctions: ["chat_silences", "reports"],
  case_notes: ["sanctions"],
  second_opinions: ["sanctions"],
};

/** The reads of one screen and one person. They are read again when the page comes back into view or online. */
export function createQueryClient(): QueryClient {
  // What was read is shown before anything that waited for it goes on.
  notifyManager.setScheduler(queueMicrotask);
  return new QueryClient({
    defaultOptions: {
      // The official client tries again by itself, and a read without a connection fails instead of waiting for one.
      queries: { retry: false, networkMode: "always", refetchOnReconnect: true },
      mutations: { networkMode: "always" },
    },
  });
}

/** Reads again what shows these; resolves when that is shown, and never rejects. */
export async function refresh(queries: QueryClient, ...changed: Shown[]): Promise<void> {
  const all = new Set(changed.flatMap((table) => [table, ...(FOLLOWING[table] ?? [])]));
  await Promise.all([...all].map((table) => readAgain(queries, table)));
}

async function readAgain(queries: QueryClient, table: Shown): Promise<void> {
  const queryKey = [table];
  // A first read under way is not started anew, though it may have begun before the change: another one follows it.
  const isFirst = queries.isFetching({ queryKey, predicate: ({ state }) => state.data === undefined }) > 0;
  await queries.invalidateQueries({ queryKey });
  if (isFirst) await queries.invalidateQueries({ queryKey });
}
