import { useSyncExternalStore } from "react";
import { currentSession, INITIAL_SESSION, type SessionState, subscribeToSession } from "./session-store.ts";

/** The session of this browser; none on the server and during hydration. */
export function useSession(): SessionState {
  return useSyncExternalStore(subscribeToSession, currentSession, () => INITIAL_SESSION);
}
