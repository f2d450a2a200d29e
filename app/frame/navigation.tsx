import { useEffect, useRef } from "react";
import { NavLink, useLocation } from "react-router";
import { useSession } from "#app/features/session/use-session.ts";
import { AccountEntry } from "./account-entry.tsx";

type Entry = { label: string; path: string };

/** In this order on every page (clause 2.nav.01). Public pages are fetched while the pointer rests on their link. */
const NAVIGATION: readonly Entry[] = [
  { label: "Home", path: "/" },
  { label: "Values", path: "/values" },
  { label: "Calculator", path: "/calculator" },
  { label: "History", path: "/history" },
  { label: "Community", path: "/community" },
  { label: "Chat", path: "/chat" },
];

/** The main navigation; where it is wider than the screen it scrolls sideways and its last entry stays in view. */
export function Navigation() {
  const strip = useRef<HTMLUListElement>(null);
  const { pathname } = useLocation();
  const { session, isAdmin } = useSession();
  const isSignedIn = session !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: these decide which entries there are, and which is active
  useEffect(() => showActive(strip.current), [pathname, isSignedIn, isAdmin]);
  return (
    <nav aria-label="Main" className="main-nav">
      <ul ref={strip}>
        {NAVIGATION.map(({ label, path }) => (
          <li key={path}>
            <NavLink to={path} end className="nav-entry" prefetch="intent">
              {label}
            </NavLink>
          </li>
        ))}
        <AccountEntry />
      </ul>
    </nav>
  );
}

/** Scrolls the strip alone; `scrollIntoView` would move the page too. */
function showActive(strip: HTMLElement | null) {
  const active = strip?.querySelector<HTMLElement>("[aria-current=page]");
  if (strip && active) strip.scrollLeft = active.offsetLeft - (strip.clientWidth - active.offsetWidth) / 2;
}
