import type { QueryClient } from "@tanstack/react-query";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { refresh, type Shown } from "./query-client.ts";

/** How long a change may stay unseen while the live connection is down, in milliseconds. */
const LOOK_EVERY = 10_000;

/** The tables that a screen follows, and how the private channel that they come by begins. */
export type Followed = { channel: string; tables: readonly Shown[] };

/** Reads again what shows the tables, as soon as anybody changes them; returns the end of it. */
export function followChanges(
  queries: QueryClient,
  client: SessionClient,
  { channel: name, tables }: Followed,
): () => void {
  const changed = createRefresher(queries);
  const changedAll = () => tables.forEach(changed);
  let isLive = false;
  // A name of its own: one that is being left cannot be joined again yet.
  const channel = client.channel(`${name}-${crypto.randomUUID()}`, { config: { private: true } });
  for (const table of tables) {
    channel.on("postgres_changes", { event: "*", schema: "public", table }, () => changed(table));
  }
  channel
    // From now on each change arrives; what changed before must be read.
    .on("system", {}, ({ extension, status }: { extension: string; status: string }) => {
      if (extension !== "postgres_changes") return;
      isLive = status === "ok";
      if (isLive) changedAll();
    })
    .subscribe((status) => {
      if (status !== "SUBSCRIBED") isLive = false;
    });
  const timer = setInterval(() => {
    if (!isLive && document.visibilityState === "visible") changedAll();
  }, LOOK_EVERY);
  return () => {
    clearInterval(timer);
    void client.removeChannel(channel);
  };
}

/** One read of a table at a time, and one more if it changed meanwhile: an import changes a thousand rows at once. */
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
