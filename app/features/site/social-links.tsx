import type { SiteConfig } from "./site-config.ts";

/** The short-message network, the code host and the chat platform of the operator (clause 2.footer.03). */
export function SocialLinks({ site }: { site: SiteConfig }) {
  const places = [
    { name: "X", sign: "sign-x", href: site.socialXUrl },
    { name: "GitHub", sign: "sign-github", href: site.socialGithubUrl },
    { name: "Discord", sign: "sign-discord", href: site.socialDiscordUrl },
  ];
  return (
    <ul className="social-links">
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
