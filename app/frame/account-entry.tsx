import { lazy, Suspense } from "react";
import { NavLink } from "react-router";
import { changeSession } from "#app/features/session/session-store.ts";
import { useSession } from "#app/features/session/use-session.ts";

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
export function AccountEntry({ leads }: { leads: boolean | undefined }) {
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
