import type { Session } from "@supabase/supabase-js";
import { useStore } from "#app/ui/store.ts";
import { type SessionState, sessionStore } from "./session-store.ts";

/** This browser's session; none on the server and during hydration. */
export const useSession = (): SessionState => useStore(sessionStore);

/** The session of a user who has finished signing in; null while the second factor is due. */
export function useFullSession(): Session | null {
  const { session, isHalf } = useSession();
  return isHalf ? null : session;
}
