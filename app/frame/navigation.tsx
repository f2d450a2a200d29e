import { lazy, Suspense, useEffect } from "react";
import { NavLink } from "react-router";
import { changeSession, lookForSession } from "#app/features/session/session-store.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { type Entry, NAVIGATION } from "./navigation-entries.ts";

/** The main navigation of wide screens; on phones the bottom bar and its sheet replace it. */
export function Navigation() {
  useEffect(lookForSession, []);
  return (
    <nav aria-label="Main" className="main-nav">
      <EntryList entries={NAVIGATION} leads />
    </nav>
  );
}

type EntryListProps = {
  entries: readonly Entry[];
  /** With icons, where there is room. */
  hasSigns?: boolean;
  /** See `AccountEntry`. */
  leads?: boolean;
};

/** Entries with labels, and the account's entry at the end. */
export function EntryList({ entries, hasSigns, leads }: EntryListProps) {
  return (
    <ul>
      {entries.map(({ label, path, sign }) => (
        <li key={path}>
          <NavLink to={path} end className="nav-entry" prefetch="intent" viewTransition>
            {hasSigns && <span className={`sign ${sign}`} />}
            {label}
          </NavLink>
        </li>
      ))}
      <AccountEntry leads={leads} />
    </ul>
  );
}

const SessionEntries = lazy(() =>
  import("./session-entries.tsx").then(
    (module) => ({ default: module.SessionEntries }),
    () => {
      changeSession({ status: "failed" });
      return { default: Login };
    },
  ),
);

/**
 * The end of the navigation: Login, which is all that the server knows (2.nav.03), until a session is found
 * (4.navbar.01). There are two on a page; the one that `leads` follows the session for both.
 */
function AccountEntry({ leads }: { leads: boolean | undefined }) {
  const { isOpened } = useSession();
  const login = <Login />;
  return isOpened ? (
    <Suspense fallback={login}>
      <SessionEntries login={login} leads={leads} />
    </Suspense>
  ) : (
    login
  );
}

function Login() {
  return (
    <li className="nav-account">
      <NavLink to="/auth" className="nav-entry nav-login">
        Login
      </NavLink>
    </li>
  );
}
