import { useEffect } from "react";
import { useOwnRead } from "#app/features/session/use-own-read.ts";
import { readStanding } from "./standing-queries.ts";

/** The signed-in user's standing; null until it is loaded. Reloaded when the page becomes visible again. */
export function useStanding() {
  // If it cannot be read, nothing is blocked here: the database enforces it.
  const [read, refresh] = useOwnRead(readStanding, { isKept: true });
  useEffect(() => {
    const look = () => document.visibilityState === "visible" && void refresh();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [refresh]);
  return { own: typeof read === "string" ? null : read, refresh };
}
