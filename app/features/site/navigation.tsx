import { NavLink } from "react-router";
import { AccountEntry } from "./account-entry.tsx";

/** In this order on every page (clause 2.nav.01). */
export const NAVIGATION = [
  { label: "Home", path: "/" },
  { label: "Values", path: "/values" },
  { label: "Calculator", path: "/calculator" },
  { label: "History", path: "/history" },
  { label: "Community", path: "/community" },
  { label: "Chat", path: "/chat" },
] as const;

/** The main navigation; where it is wider than the screen it scrolls sideways and its last entry stays in view. */
export function Navigation() {
  return (
    <nav aria-label="Main" className="main-nav">
      <ul>
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
