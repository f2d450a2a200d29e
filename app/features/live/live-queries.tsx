import { QueryClientProvider, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { openSession } from "#app/features/session/open-session.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { createRefresher, type Followed, followChanges } from "./follow-changes.ts";
import { followOtherTabs } from "./other-tabs.ts";
import { createQueryClient } from "./query-client.ts";

/** The queries of a signed-in screen, kept in sync with this browser's other tabs. */
export function LiveQueries({ children }: { children: ReactNode }) {
  const [queries] = useState(createQueryClient);
  useEffect(() => followOtherTabs(createRefresher(queries)), [queries]);
  return <QueryClientProvider client={queries}>{children}</QueryClientProvider>;
}

/** Follows tables while the component is mounted; `followed` must keep its identity. */
export function useFollowedChanges(followed: Followed): void {
  const site = useSiteConfig();
  const queries = useQueryClient();
  useEffect(() => {
    let leave = () => {};
    let isLeft = false;
    openSession(site)
      .then((client) => {
        if (!isLeft) leave = followChanges(queries, client, followed);
      })
      .catch(() => undefined);
    return () => {
      isLeft = true;
      leave();
    };
  }, [site, queries, followed]);
}
