import { useCallback, useEffect, useState } from "react";
import { openSession } from "#app/features/session/open-session.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { nameDevice } from "#domain/people/device-name.ts";

export type OwnSession = { id: string; device: string; activeAt: string; isCurrent: boolean };

/** `absent`: this backend has no list, such as a hosted one on which the site's migrations did not run. */
export type SessionList = readonly OwnSession[] | "reading" | "failed" | "absent";

/** How the database says that it has no such function. */
const UNKNOWN_FUNCTION = "PGRST202";

/** The open sessions of this person, this one first, then the one last active; and how to read them anew. */
export function useOwnSessions(): { sessions: SessionList; readAgain: () => Promise<void> } {
  const site = useSiteConfig();
  const [sessions, setSessions] = useState<SessionList>("reading");
  const readAgain = useCallback(async () => {
    try {
      setSessions(await readSessions(await openSession(site)));
    } catch {
      setSessions("failed");
    }
  }, [site]);
  useEffect(() => void readAgain(), [readAgain]);
  return { sessions, readAgain };
}

async function readSessions(client: SessionClient): Promise<SessionList> {
  const { data, error } = await client.rpc("list_own_sessions");
  if (error) return error.code === UNKNOWN_FUNCTION ? "absent" : "failed";
  return data
    .filter(({ is_application }) => !is_application)
    .map(({ id, user_agent, created_at, refreshed_at, is_current }) => ({
      id,
      device: nameDevice(user_agent),
      activeAt: refreshed_at ?? created_at,
      isCurrent: is_current,
    }))
    .sort(
      (one, other) =>
        Number(other.isCurrent) - Number(one.isCurrent) || (one.activeAt < other.activeAt ? 1 : -1),
    );
}
