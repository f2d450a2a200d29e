import { useEffect } from "react";
import { NavLink } from "react-router";
import { lookForSession } from "#app/features/session/session-store.ts";
import { AccountEntry } from "./account-entry.tsx";
import { NAVIGATION } from "./navigation-entries.ts";

/** The main navigation of wide screens; on phones the bottom bar and the sheet behind its last entry hold the same. */
export function Navigation() {
  useEffect(lookForSession, []);
  return (
    <nav aria-label="Main" className="main-nav">
      <ul>
        {NAVIGATION.map(({ label, path }) => (
          <li key={path}>
            <NavLink to={path} end className="nav-entry" prefetch="intent" viewTransition>
              {label}
            </NavLink>
          </li>
        ))}
        <AccountEntry leads />
      </ul>
    </nav>
  );
}
