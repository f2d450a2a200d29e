import type { RealtimeChannel } from "@supabase/supabase-js";
import type { QueryClient } from "@tanstack/react-query";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { refresh, type Shown } from "./query-client.ts";

/** How long a change may go unnoticed while the live connection is down, in milliseconds. */
const LOOK_EVERY = 10_000;

/** The tables that a screen follows, and the prefix of their private channel. */
export type Followed = { channel: string; tables: readonly Shown[] };

/** Refetches the queries that show the tables whenever anyone changes them; returns a stop function. */
export function followChanges(
  queries: QueryClient,
  client: SessionClient,
  { channel: name, tables }: Followed,
): () => void {
  const changed = createRefresher(queries);
  const changedAll = () => tables.forEach(changed);
  let isLive = false;
  let channel = open();

  function open(): RealtimeChannel {
    // A unique name, since a channel that is still being left cannot be joined again.
    const opened = client.channel(`${name}-${crypto.randomUUID()}`, { config: { private: true } });
    for (const table of tables) {
      opened.on("postgres_changes", { event: "*", schema: "public", table }, () => changed(table));
    }
    return (
      opened
        // Changes arrive from now on; earlier ones must be fetched.
        .on("system", {}, ({ extension, status }: { extension: string; status: string }) => {
          if (extension !== "postgres_changes") return;
          isLive = status === "ok";
          if (isLive) changedAll();
        })
        .subscribe((status) => {
          if (status !== "SUBSCRIBED") isLive = false;
        })
    );
  }

  const timer = setInterval(() => {
    if (isLive || document.visibilityState !== "visible") return;
    changedAll();
    // The server closed it, and the client rejoins only those that failed.
    if (channel.state === "closed") channel = open();
  }, LOOK_EVERY);
  return () => {
    clearInterval(timer);
    void client.removeChannel(channel);
  };
}

/** One fetch per table at a time, and one more if it changed meanwhile: an import changes a thousand rows at once. */
export function createRefresher(queries: QueryClient): (table: Shown) => void {
  const running = new Set<Shown>();
  const again = new Set<Shown>();
  async function run(table: Shown): Promise<void> {
    if (running.has(table)) return void again.add(table);
    running.add(table);
    do {
      again.delete(table);
      await refresh(queries, table);
    } while (again.has(table));
    running.delete(table);
  }
  return (table) => void run(table);
}
