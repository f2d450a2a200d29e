import { useEffect } from "react";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { useOwnRead } from "#app/features/session/use-own-read.ts";

/**
 * The signed-in user's standing; null until it is loaded, or if it cannot be. Reloaded when the page becomes visible
 * again.
 */
export function useStanding() {
  // If it cannot be read, nothing is blocked here: the database enforces it.
  const [read, refresh] = useOwnRead(readStanding, { isKept: true });
  useEffect(() => {
    const look = () => document.visibilityState === "visible" && void refresh();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [refresh]);
  return { own: typeof read === "string" ? null : read, isUnread: read === "failed", refresh };
}

/** `free`, or the reason why someone may not write freely (supabase/schemas/age/voice.sql). */
type Standing = "free" | "unasked" | "child" | "strikes" | "new";

export type OwnStanding = {
  standing: Standing;
  /** The parent's answer; null if none was asked. */
  parent: "asked" | "allowed" | "refused" | "withdrawn" | null;
  /** When the parent who has not answered yet was asked. */
  askedAt: string | null;
};

/** @throws the service's error */
async function readStanding(client: SessionClient): Promise<OwnStanding> {
  const { data } = await client.rpc("show_own_standing").maybeSingle().throwOnError();
  return {
    standing: (data?.standing ?? "unasked") as Standing,
    parent: (data?.parent ?? null) as OwnStanding["parent"],
    askedAt: data?.asked_at ?? null,
  };
}
