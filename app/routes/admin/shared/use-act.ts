import { useMutation } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import type { Shown } from "#app/features/live/query-client.ts";
import { useRefresh } from "#app/features/live/use-read.ts";
import { openSession } from "#app/features/session/open-session.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { showFailure } from "#app/features/session/show-failure.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { showToast } from "#app/ui/toast/toast-store.ts";

type Work = (client: SessionClient) => PromiseLike<unknown>;

/**
 * Performs one action at a time as the current user, then refetches what shows the tables, whatever the outcome, and
 * confirms it. A failure is shown with the service's own message (8.error.10), and returns `false`.
 */
export function useAct(...changed: Shown[]) {
  const site = useSiteConfig();
  const refresh = useRefresh();
  const isRunning = useRef(false);
  // The code that reports a lost connection must be loaded before it is lost.
  useEffect(() => void import("#app/ui/toast/toast-viewport.tsx").catch(() => undefined), []);
  const { isPending, mutateAsync } = useMutation({
    mutationFn: async (work: Work) => work(await openSession(site)),
    onError: showFailure,
    onSettled: () => refresh(...changed),
  });

  const act = useCallback(
    async (work: Work, done?: string, description?: string): Promise<boolean> => {
      if (isRunning.current) return false;
      isRunning.current = true;
      const isDone = await mutateAsync(work).then(
        () => true,
        () => false,
      );
      isRunning.current = false;
      if (isDone && done) showToast({ title: done, description });
      return isDone;
    },
    [mutateAsync],
  );

  return { isBusy: isPending, act };
}

/** Like `useAct`, but in turn: what is chosen during an action, or while the tables are read after it, is not lost. */
export function useActsInTurn(...changed: Shown[]) {
  const { act: actNow } = useAct(...changed);
  const latest = useRef(Promise.resolve(true));
  const running = useRef(new Set<string>()).current;
  const act = useCallback(
    (...work: Parameters<typeof actNow>) => {
      latest.current = latest.current.then(() => actNow(...work));
      return latest.current;
    },
    [actNow],
  );
  /** Ignores a second press about the same thing. */
  const once = useCallback(
    async (id: string, decide: () => Promise<unknown>) => {
      if (running.has(id)) return;
      running.add(id);
      await decide();
      running.delete(id);
    },
    [running],
  );
  return { act, once };
}
