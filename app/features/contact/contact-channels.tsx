import type { SiteConfig } from "#app/features/site/site-config.ts";

type Channel = { name: string; href: string; what: string };

/** Where else people reach us; only what exists, nothing invented (2.contact.03, decision 37). */
export function ContactChannels({ site }: { site: SiteConfig }) {
  return (
    <ul className="grid gap-3">
      {findChannels(site).map(({ name, href, what }) => (
        <li key={name}>
          <a href={href} className="link inline-block py-1 font-semibold">
            {name}
          </a>
          <p className="text-sm text-muted">{what}</p>
        </li>
      ))}
    </ul>
  );
}

/** The chat is always there; an e-mail address and accounts elsewhere only where the operator set them. */
export function findChannels(site: SiteConfig): Channel[] {
  const { contactEmail } = site;
  const accounts = [
    { name: "Discord", href: site.socialDiscordUrl, what: "Talk with us and with other players." },
    { name: "X", href: site.socialXUrl, what: "News, and short questions." },
    { name: "GitHub", href: site.socialGithubUrl, what: "Report a fault or suggest a change." },
  ];
  return [
    ...(contactEmail
      ? [
          {
            name: contactEmail,
            href: `mailto:${contactEmail}`,
            what: "For anything that should stay between us.",
          },
        ]
      : []),
    ...accounts.filter(({ href }) => isAccount(href)),
    {
      name: "Live Chat",
      href: "/chat",
      what: "Ask other players. You need an account, and admins read along.",
    },
  ];
}

/** An operator without an account there leaves the platform's own home page, which reaches nobody of ours. */
function isAccount(href: string): boolean {
  return URL.canParse(href) && new URL(href).pathname !== "/";
}
