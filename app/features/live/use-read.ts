import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { openSession } from "#app/features/session/open-session.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { type ReadKey, refresh, type Shown } from "./query-client.ts";

type Options = {
  /** Refetches at this interval, in milliseconds, while the page is visible. */
  refetchInterval?: number;
  /** Keeps the previous key's data until this one's is loaded. */
  keepsPrevious?: boolean;
};

/** A query of this browser's session, kept up to date; `read` must throw if the service refuses. */
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

/** A list read page by page; `next` returns where the following page starts, undefined after the last. */
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

/** Refetches the queries that show these tables; resolves when the results are shown. */
export function useRefresh(): (...changed: Shown[]) => Promise<void> {
  const queries = useQueryClient();
  return useCallback((...changed) => refresh(queries, ...changed), [queries]);
}
