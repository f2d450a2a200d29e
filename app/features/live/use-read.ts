import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { openSession } from "#app/features/session/open-session.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { type ReadKey, refresh, type Shown } from "./query-client.ts";

type Options = {
  /** Reads again after so many milliseconds while the page is in view. */
  refetchInterval?: number;
  /** What was read by another key stays until this one is read. */
  keepsPrevious?: boolean;
};

/** What a screen shows, read with this browser's session and kept fresh; `read` throws where the service refuses. */
export function useRead<T>(
  queryKey: ReadKey,
  read: (client: SessionClient) => Promise<T>,
  { keepsPrevious, ...options }: Options = {},
) {
  const site = useSiteConfig();
  return useQuery({
    queryKey,
    queryFn: async () => read(await openSession(site)),
    ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
    ...options,
  });
}

/** A list read page by page; `next` tells where the page after this one begins, undefined after the last. */
export function useReadPages<Page, Start>(
  queryKey: ReadKey,
  read: (client: SessionClient, start: Start | undefined) => Promise<Page>,
  next: (page: Page) => Start | undefined,
) {
  const site = useSiteConfig();
  return useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam }) => read(await openSession(site), pageParam as Start | undefined),
    initialPageParam: undefined as Start | undefined,
    getNextPageParam: next,
  });
}

/** Reads again what shows these tables; resolves when that is shown. */
export function useRefresh(): (...changed: Shown[]) => Promise<void> {
  const queries = useQueryClient();
  return useCallback((...changed) => refresh(queries, ...changed), [queries]);
}
