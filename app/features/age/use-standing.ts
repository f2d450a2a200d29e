import { useEffect } from "react";
import { useOwnRead } from "#app/features/session/use-own-read.ts";
import { readStanding } from "./standing-queries.ts";

/** Where the signed-in person stands; null until it is known. Read again when the page is looked at again. */
export function useStanding() {
  // What cannot be read refuses nothing: the database does.
  const [read, refresh] = useOwnRead(readStanding, { isKept: true });
  useEffect(() => {
    const look = () => document.visibilityState === "visible" && void refresh();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [refresh]);
  return { own: typeof read === "string" ? null : read, refresh };
}
