import type { Session } from "@supabase/supabase-js";
import { listKept } from "#app/features/browser-storage/kept.ts";
import { KEPT } from "#app/features/browser-storage/kept-keys.ts";
import { createStore } from "#app/ui/store.ts";

/** The user of this browser, as far as known (4.navbar.01–04). */
export type SessionState = {
  /** `failed`: there may be a session, but the client's code could not be loaded. */
  status: "unknown" | "known" | "failed";
  /** Whether the official client is loaded or loading; visitors never need it. */
  isOpened: boolean;
  session: Session | null;
  /** The session has one factor although the account has a second one (P25). */
  isHalf: boolean;
  /** Such a session was begun by the link that opened this page. */
  isHalfByLink?: boolean;
  /** False without a user; null while the database is asked. */
  isAdmin: boolean | null;
  /** Moderators and admins. */
  isModerator: boolean | null;
  /** Editors and admins. */
  isEditor: boolean | null;
  /** A recovery link was opened here, and no new password has been chosen yet. */
  isRecovering?: boolean;
  /** A recovery email's code is being verified. */
  awaitsRecovery?: boolean;
  /** The undo link from an email about a change, not used yet. */
  undoToken?: string | null;
  /** Logout was pressed here and home is not reached yet: the gate of the page being left stays silent. */
  isLeaving?: boolean;
  /** The message of a mailed link that led here. */
  linkNotice?: { text: string; isProblem: boolean } | null;
  /** Why linking a provider failed; the page that began it shows this, and the user stays there. */
  linkingFault?: string | null;
};

export const sessionStore = createStore<SessionState>({
  status: "unknown",
  isOpened: false,
  session: null,
  isHalf: false,
  isAdmin: false,
  isModerator: false,
  isEditor: false,
});

/** The key of the official client's session in browser storage. */
const STORED = /^sb-.+-auth-token$/;
/** The parameters that the auth service adds to the address of a mailed link. */
const LINK_ANSWER = /[#?&](access_token|error|error_description|error_code|message)=/;

export const currentSession = sessionStore.current;

export function changeSession(change: Partial<SessionState>): void {
  sessionStore.set({ ...currentSession(), ...change });
}

/**
 * Tells visitors apart without loading the official client: they have no stored session and came by no mailed link.
 * Watches for a sign-in in another tab; returns a stop function.
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
