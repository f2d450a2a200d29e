import { useEffect } from "react";
import { NavLink } from "react-router";
import { lookForSession } from "#app/features/session/session-store.ts";
import { AccountEntry } from "./account-entry.tsx";
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
