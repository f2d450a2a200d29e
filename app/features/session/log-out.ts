import { showToast } from "#app/ui/toast/toast-store.ts";
import { type BackendAddress, openSession } from "./open-session.ts";
import { changeSession, currentSession } from "./session-store.ts";
import { showFailure } from "./show-failure.ts";

const UNTOLD = {
  title: "Logged out on this device",
  description: "The site couldn’t be reached to end the session there, too.",
};

/**
 * Logout (2.nav.06, P25): ends this browser's session, or all of the user's, confirms it and goes home. The official
 * client treats 401, 403 and 404 as a session that has already ended.
 */
export async function logOut(
  backend: BackendAddress,
  goHome: () => void | Promise<void>,
  scope: "local" | "global" = "local",
): Promise<void> {
  changeSession({ isLeaving: true });
  try {
    const client = await openSession(backend);
    const { error } = await client.auth.signOut({ scope });
    // The client ends this browser's session first, even if the service cannot be told.
    if (error && currentSession().session) throw error;
    showToast(error ? UNTOLD : { title: "Logged out successfully" });
    await goHome();
  } catch (error) {
    changeSession({ isLeaving: false });
    showFailure(error as Error);
  }
}
