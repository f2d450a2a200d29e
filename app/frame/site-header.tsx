import { Link } from "react-router";
import { Navigation } from "./navigation.tsx";
import { SiteMark } from "./site-mark.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";

/** The hull above every page: name, navigation, theme. */
export function SiteHeader({ siteName }: { siteName: string }) {
  return (
    <header data-hull="" className="site-header">
      <div className="page site-header-row">
        <Link to="/" className="site-name">
          <SiteMark />
          {siteName}
        </Link>
        <Navigation />
        <ThemeSwitch />
      </div>
    </header>
  );
}
