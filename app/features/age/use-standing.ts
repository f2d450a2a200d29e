import { useEffect } from "react";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { useOwnRead } from "#app/features/session/use-own-read.ts";

/** How often a visible page asks for the answer of a parent, who decides on another device. */
const PARENT_MS = 20_000;

/**
 * The signed-in user's standing; null until it is loaded, or if it cannot be. Reloaded when the page becomes visible
 * again, and time and again while a parent is being asked.
 */
export function useStanding() {
  // If it cannot be read, nothing is blocked here: the database enforces it.
  const [read, refresh] = useOwnRead(readStanding, { isKept: true });
  const own = typeof read === "string" ? null : read;
  const awaitsParent = own?.parent === "asked";
  useEffect(() => {
    const look = () => document.visibilityState === "visible" && void refresh();
    document.addEventListener("visibilitychange", look);
    const timer = awaitsParent ? setInterval(look, PARENT_MS) : undefined;
    return () => {
      document.removeEventListener("visibilitychange", look);
      clearInterval(timer);
    };
  }, [refresh, awaitsParent]);
  return { own, isUnread: read === "failed", refresh };
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
