import type { Session } from "@supabase/supabase-js";
import { listKept } from "#app/features/browser-storage/kept.ts";
import { KEPT } from "#app/features/browser-storage/kept-keys.ts";
import { createStore } from "#app/ui/store.ts";

/** Who uses this browser, as far as it is known (4.navbar.01–04). */
export type SessionState = {
  /** `failed`: there may be a session, but the code that reads it could not be loaded. */
  status: "unknown" | "known" | "failed";
  /** The official client is loaded or being loaded; visitors never need it. */
  isOpened: boolean;
  session: Session | null;
  /** False without a user; null while the database is asked. */
  isAdmin: boolean | null;
  /** Who looks after people: admins too. */
  isModerator: boolean | null;
  /** Who looks after values: admins too. */
  isEditor: boolean | null;
  /** A recovery link was opened here, and no new password is chosen yet. */
  isRecovering?: boolean;
  /** A recovery mail's code is being checked. */
  awaitsRecovery?: boolean;
  /** The undo link of a mail about a change, not used yet. */
  wayBack?: string | null;
  /** Logout was pressed here, and home is not reached: the gate of the page that is being left stays silent. */
  isLeaving?: boolean;
  /** What a mailed link that led here has to say, as a sentence. */
  linkNotice?: { text: string; isProblem: boolean } | null;
  /** Why an account at another service was not linked, as a sentence; the page that began it says so, and nobody leaves it. */
  linkingFault?: string | null;
};

export const sessionStore = createStore<SessionState>({
  status: "unknown",
  isOpened: false,
  session: null,
  isAdmin: false,
  isModerator: false,
  isEditor: false,
});

/** What the official client calls the session in the browser's storage. */
const STORED = /^sb-.+-auth-token$/;
/** What the auth service adds to the address at the end of a mailed link. */
const LINK_ANSWER = /[#?&](access_token|error|error_description|error_code|message)=/;

export const currentSession = sessionStore.current;

export function changeSession(change: Partial<SessionState>): void {
  sessionStore.set({ ...currentSession(), ...change });
}

/**
 * Tells visitors from others without the official client, which is not even loaded for them: they have no session
 * stored and came by no mailed link. Watches for a sign-in in another tab; returns how to stop.
 */
export function lookForSession(): () => void {
  const isStored = listKept("session").some((of) => STORED.test(KEPT.session.key + of));
  const isNeeded = isStored || LINK_ANSWER.test(location.hash + location.search);
  changeSession(isNeeded ? { isOpened: true } : { status: "known" });
  const listen = ({ key, newValue }: StorageEvent) => {
    if (newValue && STORED.test(key ?? "")) changeSession({ isOpened: true });
  };
  addEventListener("storage", listen);
  return () => removeEventListener("storage", listen);
}
