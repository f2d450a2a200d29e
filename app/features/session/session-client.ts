import { type AuthChangeEvent, createClient, type Session } from "@supabase/supabase-js";
import { withCaptcha } from "#app/features/captcha/captcha-store.ts";
import type { Client } from "#app/features/site/client.ts";
import { showToast } from "#app/ui/toast/toast-store.ts";
import "#app/features/browser-storage/random-uuid.ts";
import { withSiteClock } from "#app/features/site/site-clock.ts";
import { askForRoles } from "./ask-for-roles.ts";
import { fetchWithMark } from "./browser-mark.ts";
import { LINKED, type LinkAnswer, readLinkAnswer } from "./link-answer.ts";
import { withRetryAfter } from "./retry-after.ts";
import { owesSecondFactor } from "./second-factor.ts";
import { createSessionFetch } from "./session-fetch.ts";
import { changeSession, currentSession } from "./session-store.ts";
import { watchSession } from "./watch-session.ts";

export type SessionClient = Client;

/** The official client with its defaults: it stores, refreshes and shares the session; the store follows it. */
export function createSessionClient(url: string, anonKey: string): SessionClient {
  // Before the client is created, which removes the tokens from the address.
  const { notice, purpose } = readLinkAnswer(window.location);
  if (notice && new URLSearchParams(window.location.search).has(LINKED)) {
    changeSession({ linkingFault: notice.text });
    // So that a reload does not repeat it.
    window.history.replaceState(window.history.state, "", window.location.pathname);
  } else if (notice) changeSession({ linkNotice: notice });
  let welcome = purpose?.welcome;
  const steady = createSessionFetch({
    send: withSiteClock(withRetryAfter(fetchWithMark)),
    onRefused: () => void watch.doubt(),
  });
  const fetch = withCaptcha(steady);
  const client: SessionClient = createClient(url, anonKey, { global: { fetch } });
  const watch = watchSession(client);
  client.auth.onAuthStateChange((event, session) => {
    watch.follow(session);
    // Other tabs receive the recovery event too; only the one that opened the email asks for a new password.
    follow(client, event, session, event === "PASSWORD_RECOVERY" && isOurs(purpose));
    if (event !== "SIGNED_IN" || !welcome) return;
    const { isHalf } = currentSession();
    if (isHalf) changeSession({ isHalfByLink: true });
    if (!isHalf || purpose?.isDone) showToast(welcome);
    welcome = undefined;
  });
  return client;
}

/** For a proof that becomes this browser's session only if it is the right user's. */
export function createSideClient(url: string, anonKey: string): SessionClient {
  const auth = {
    persistSession: false,
    autoRefreshToken: false,
    detectSessionInUrl: false,
    storageKey: "aside",
  };
  return createClient(url, anonKey, { auth, global: { fetch: withCaptcha(fetchWithMark) } });
}

/** Whether the recovery happened here, by link or by typed code. */
function isOurs(purpose: LinkAnswer["purpose"]): boolean {
  return purpose?.type === "recovery" || currentSession().awaitsRecovery === true;
}

/** The client's own calls would wait until this returns, since it awaits its listeners. */
function follow(
  client: SessionClient,
  event: AuthChangeEvent,
  session: Session | null,
  isRecovering: boolean,
): void {
  const before = currentSession();
  const isFinished = event === "USER_UPDATED" || event === "SIGNED_OUT";
  changeSession({
    status: "known",
    session,
    isHalf: owesSecondFactor(session),
    isAdmin: roleFlag(before.session, session, before.isAdmin),
    isModerator: roleFlag(before.session, session, before.isModerator),
    isEditor: roleFlag(before.session, session, before.isEditor),
    isRecovering: isRecovering || (before.isRecovering && !isFinished),
  });
  // At every event with a user, so that a role granted or revoked meanwhile shows (4.navbar.04).
  if (session) setTimeout(() => void askForRoles(client, session.user.id), 0);
}

function roleFlag(before: Session | null, now: Session | null, known: boolean | null): boolean | null {
  if (!now) return false;
  return now.user.id === before?.user.id ? known : null;
}
