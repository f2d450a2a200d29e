import { useSyncExternalStore } from "react";
import { currentSession, NOBODY, type SessionState, subscribeToSession } from "./session-store.ts";

/** The session of this browser; nobody's on the server and in the first render that takes over its HTML. */
export function useSession(): SessionState {
  return useSyncExternalStore(subscribeToSession, currentSession, () => NOBODY);
}
