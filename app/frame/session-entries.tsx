import { type ReactNode, useEffect } from "react";
import { NavLink, useLocation, useNavigate } from "react-router";
import { listKept } from "#app/features/browser-storage/kept.ts";
import { logOut } from "#app/features/session/log-out.ts";
import { openSession } from "#app/features/session/open-session.ts";
import { changeSession, currentSession } from "#app/features/session/session-store.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";

/**
 * The end of the navigation if there may be a session. Logout is the last entry (2.nav.04), Admin the first for admins
 * (2.nav.02); `login` is shown without a session.
 */
export function SessionEntries({ login, leads }: { login: ReactNode; leads: boolean | undefined }) {
  return (
    <>
      {leads && <SessionFollower />}
      <Entries login={login} />
    </>
  );
}

/** Opens the session and follows it for the page's lifetime (4.navbar.02); once per page. */
function SessionFollower() {
  const site = useSiteConfig();
  const navigate = useNavigate();
  const { key: page } = useLocation();
  const { isRecovering, isHalfByLink, linkNotice } = useSession();
  const hasUnfinished = Boolean(isRecovering || isHalfByLink || linkNotice);

  useVisitorTrades();
  useEffect(() => void openSession(site).catch(() => undefined), [site]);
  // Mailed links may lead to any of our pages; what they start is finished in one place.
  useEffect(() => {
    if (hasUnfinished) void navigate("/auth", { replace: true });
  }, [hasUnfinished, navigate]);

  // Whoever logged out is home now, or went elsewhere.
  // biome-ignore lint/correctness/useExhaustiveDependencies: every page arrived at counts
  useEffect(() => {
    if (currentSession().isLeaving) changeSession({ isLeaving: false });
  }, [page]);
  return null;
}

function Entries({ login }: { login: ReactNode }) {
  const site = useSiteConfig();
  const navigate = useNavigate();
  const { session, isAdmin, isModerator, isEditor, isLeaving } = useSession();
  // The navigation home after Logout, still pending, would replace the page that Login opens.
  if (!session && !isLeaving) return login;
  return (
    <>
      {isAdmin && <Entry path="/admin" label="Admin" />}
      {isModerator && !isAdmin && <Entry path="/admin" label="Moderation" />}
      {isEditor && !isModerator && <Entry path="/admin" label="Editing" />}
      <Entry path="/account" label="Account" />
      <li className="nav-account">
        <button
          type="button"
          className="nav-entry nav-login cursor-pointer"
          onClick={() => logOut(site, () => navigate("/"))}
        >
          Logout
        </button>
      </li>
    </>
  );
}

/** With an icon, which only a phone's sheet shows, as for its other entries. */
function Entry({ path, label }: { path: string; label: string }) {
  return (
    <li>
      <NavLink to={path} className="nav-entry">
        <span className={`sign ${path === "/account" ? "sign-you" : "sign-system"}`} />
        {label}
      </NavLink>
    </li>
  );
}

/** Moves the trades that a visitor kept here into the history of the user who signs in, on whatever page. */
function useVisitorTrades(): void {
  const site = useSiteConfig();
  const { session } = useSession();
  const userId = session?.user.id;
  // Passing the second factor issues a new token.
  const token = session?.access_token;
  useEffect(() => {
    if (!userId || !token || listKept("visitorTrade").length === 0) return;
    void Promise.all([openSession(site), import("#app/features/trade-history/move-visitor-trades.ts")])
      .then(([client, { moveVisitorTrades }]) => moveVisitorTrades(client, userId))
      // They stay in the browser.
      .catch(() => undefined);
  }, [site, userId, token]);
}
