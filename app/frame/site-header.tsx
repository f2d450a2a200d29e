import type { MouseEvent } from "react";
import { Link } from "react-router";
import { useSession } from "#app/features/session/use-session.ts";
import { Navigation } from "./navigation.tsx";
import { SiteMark } from "./site-mark.tsx";

/** The header of every page: name, navigation and search; on phones the bottom bar replaces the navigation. */
export function SiteHeader({ siteName }: { siteName: string }) {
  return (
    <header data-hull="" className="site-header">
      <div className="page site-header-row">
        <Link to="/" className="site-name">
          <SiteMark />
          {siteName}
        </Link>
        <Navigation />
        <div className="site-header-tools">
          <Link to="/values#search" className="header-tool" prefetch="intent" onClick={focusSearch}>
            <span className="sign sign-search" />
            <span className="sr-only">Search items</span>
          </Link>
          <OwnPage />
        </div>
      </div>
    </header>
  );
}

/** On /values itself: without a navigation, which would discard the filters. */
function focusSearch(event: MouseEvent) {
  const field = document.getElementById("search");
  if (!field) return;
  event.preventDefault();
  field.focus();
}

/** On phones only: Login, or the link to one's account. On wide screens both are in the navigation. */
function OwnPage() {
  const { session, isLeaving } = useSession();
  if (!session && !isLeaving) {
    return (
      <Link to="/auth" className="nav-entry nav-login header-own">
        Login
      </Link>
    );
  }
  return (
    <Link to="/account" className="header-tool header-own">
      <span className="sign sign-you" />
      <span className="sr-only">Your account</span>
    </Link>
  );
}
