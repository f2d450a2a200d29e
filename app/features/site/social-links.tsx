import type { SiteConfig } from "./site-config.ts";

/** Our own plain signs for the three kinds of place, not the companies' marks. */
const SIGNS = {
  x: "M4 4l14 14M18 4 4 18",
  github: "M7.500 6 2.500 11l5 5M14.500 6l5 5-5 5",
  discord: "M3 4.500h16v10.500H11.500L7 19v-4H3zM7.500 9.800h.01M11 9.800h.01M14.500 9.800h.01",
};

/** The short-message network, the code host and the chat platform of the operator (clause 2.footer.03). */
export function SocialLinks({ site }: { site: SiteConfig }) {
  const places = [
    { name: "X", sign: SIGNS.x, href: site.socialXUrl },
    { name: "GitHub", sign: SIGNS.github, href: site.socialGithubUrl },
    { name: "Discord", sign: SIGNS.discord, href: site.socialDiscordUrl },
  ];
  return (
    <ul className="social-links">
      {places.map(({ name, sign, href }) => (
        <li key={name}>
          <a href={href} rel="noopener" target="_blank">
            <span className="sr-only">
              {site.siteName} on {name}
            </span>
            <svg
              aria-hidden="true"
              width="22"
              height="22"
              viewBox="0 0 22 22"
              fill="none"
              stroke="currentColor"
              strokeWidth="2"
              strokeLinecap="round"
              strokeLinejoin="round"
            >
              <path d={sign} />
            </svg>
          </a>
        </li>
      ))}
    </ul>
  );
}
