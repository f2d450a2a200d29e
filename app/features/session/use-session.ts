import { useStore } from "#app/ui/store.ts";
import { type SessionState, sessionStore } from "./session-store.ts";

/** This browser's session; none on the server and during hydration. */
export const useSession = (): SessionState => useStore(sessionStore);
