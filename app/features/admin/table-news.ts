import { useEffect, useSyncExternalStore } from "react";
import { openSession } from "#app/features/session/open-session.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";

/** The tables whose changes the panels follow. */
const WATCHED = ["categories", "field_definitions", "page_configurations", "ads", "chat_reports"] as const;
export type WatchedTable = (typeof WATCHED)[number];

const counts = new Map<WatchedTable, number>();
const listeners = new Set<() => void>();

/** A text that differs from now on whenever one of the tables may have changed, by this admin or by anybody. */
export function useTableNews(...tables: WatchedTable[]): string {
  return useSyncExternalStore(subscribe, () => tables.map((table) => counts.get(table) ?? 0).join());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Tells all panels that tables may have changed. */
export function tellTableNews(...tables: readonly WatchedTable[]): void {
  for (const table of tables) counts.set(table, (counts.get(table) ?? 0) + 1);
  for (const listener of listeners) listener();
}

/** Follows the tables live for as long as the admin area is open. */
export function useTableWatch(): void {
  const site = useSiteConfig();
  useEffect(() => {
    let leave = () => {};
    let isLeft = false;
    openSession(site)
      .then((client) => {
        if (!isLeft) leave = watch(client);
      })
      .catch(() => undefined);
    return () => {
      isLeft = true;
      leave();
    };
  }, [site]);
}

function watch(client: SessionClient): () => void {
  // A name of its own: one that is being left cannot be joined again yet.
  const channel = client.channel(`admin-${crypto.randomUUID()}`);
  for (const table of WATCHED) {
    channel.on("postgres_changes", { event: "*", schema: "public", table }, () => tellTableNews(table));
  }
  channel
    // From now on each change is told; what changed while nobody listened must be read.
    .on("system", {}, ({ extension, status }: { extension: string; status: string }) => {
      if (extension === "postgres_changes" && status === "ok") tellTableNews(...WATCHED);
    })
    .subscribe();
  return () => void client.removeChannel(channel);
}
