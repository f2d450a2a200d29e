import { useEffect, useState } from "react";
import { Link } from "react-router";
import type { SiteConfig } from "#app/features/site/site-config.ts";
import { ThemeSwitch } from "#app/features/theme/theme-switch.tsx";
import { SiteMark } from "./site-mark.tsx";

const QUICK_LINKS = [
  { label: "Browse Values", path: "/values" },
  { label: "Trade Calculator", path: "/calculator" },
  { label: "Trade History", path: "/history" },
  { label: "Community", path: "/community" },
  { label: "Value Changes", path: "/changes" },
];

const SITE_LINKS = [
  { label: "About Us", path: "/about" },
  { label: "Contact", path: "/contact" },
  { label: "Privacy Policy", path: "/privacy" },
  { label: "Terms of Service", path: "/terms" },
  { label: "Live Chat", path: "/chat" },
  { label: "For Parents", path: "/parents" },
];

/** The footer of every page (clauses 2.footer.01 to .05). */
export function SiteFooter({ site, year }: { site: SiteConfig; year: number }) {
  return (
    <footer data-hull="" className="site-footer">
      <div className="page site-footer-columns">
        <div className="site-footer-name">
          <p className="site-name">
            <SiteMark />
            {site.siteName}
          </p>
          <p>
            {site.gameName} values, and when they were checked. Know what your items are worth before you
            leave the harbor.
          </p>
          <SocialLinks site={site} />
        </div>
        <LinkColumn title="Quick links" links={QUICK_LINKS} />
        <LinkColumn title={site.siteName} links={SITE_LINKS} />
      </div>
      <div className="page site-footer-foot">
        <p className="figures">
          © <CopyrightYear rendered={year} /> {site.siteName}
        </p>
        <p>
          {site.siteName} is not affiliated with, endorsed by or sponsored by{" "}
          {site.gameCompany.replace(/\.$/, "")}. {site.gameName} belongs to its owners.
        </p>
        <ThemeSwitch />
      </div>
    </footer>
  );
}

function LinkColumn({ title, links }: { title: string; links: { label: string; path: string }[] }) {
  return (
    <nav aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {links.map(({ label, path }) => (
          <li key={path}>
            <Link to={path}>{label}</Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The operator's accounts at X, GitHub and Discord (clause 2.footer.03). */
function SocialLinks({ site }: { site: SiteConfig }) {
  const places = [
    { name: "X", sign: "sign-x", href: site.socialXUrl },
    { name: "GitHub", sign: "sign-github", href: site.socialGithubUrl },
    { name: "Discord", sign: "sign-discord", href: site.socialDiscordUrl },
  ];
  return (
    <ul className="outer-links">
      {places.map(({ name, sign, href }) => (
        <li key={name}>
          <a href={href} rel="noopener" target="_blank">
            <span className={`sign ${sign}`} />
            <span className="sr-only">
              {site.siteName} on {name}
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/**
 * The current year (clause 2.footer.04). Rendered with the server's year until hydration, so that a page cached last
 * year still hydrates; then by the device's clock.
 */
function CopyrightYear({ rendered }: { rendered: number }) {
  const [year, setYear] = useState(rendered);
  useEffect(() => setYear(new Date().getFullYear()), []);
  return year;
}
