import { useEffect, useSyncExternalStore } from "react";
import { openSession } from "#app/features/session/open-session.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { countOpenReports } from "./report-queries.ts";

type OpenReports = {
  /** Null until it is known. */
  count: number | null;
  /** Rises whenever reports may have changed. */
  news: number;
};

let state: OpenReports = { count: null, news: 0 };
const listeners = new Set<() => void>();

/** How many reports wait for an admin, as far as the watch has seen. */
export function useOpenReports(): OpenReports {
  return useSyncExternalStore(subscribe, () => state);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How long a report may wait unseen where the live connection is down, in milliseconds. */
const LOOK_EVERY = 30_000;

/** Looks for open reports while the admin area is in view: live, and at times where the live connection is down. */
export function useReportWatch(): void {
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
  const look = () => void lookForReports(client).catch(() => undefined);
  const lookInView = () => document.visibilityState === "visible" && look();
  const channel = client
    // A name of its own: one that is being left cannot be joined again yet.
    .channel(`reports-${crypto.randomUUID()}`)
    .on("postgres_changes", { event: "*", schema: "public", table: "chat_reports" }, look)
    // What came while nobody listened.
    .subscribe((status) => status === "SUBSCRIBED" && look());
  const timer = setInterval(lookInView, LOOK_EVERY);
  document.addEventListener("visibilitychange", lookInView);
  look();
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", lookInView);
    void client.removeChannel(channel);
  };
}

/** Counts the open reports and tells who shows them. */
export async function lookForReports(client: SessionClient): Promise<void> {
  const count = await countOpenReports(client);
  state = { count, news: state.news + 1 };
  for (const listener of listeners) listener();
}
