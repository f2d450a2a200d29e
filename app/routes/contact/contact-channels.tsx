import { accountsOf } from "#app/features/contact/contact-channels.ts";
import type { SiteConfig } from "#app/features/site/site-config.ts";

type Channel = { name: string; href: string; what: string };

/** Other ways to reach us; only existing ones, nothing invented (2.contact.03, P37). */
export function ContactChannels({ site }: { site: SiteConfig }) {
  return (
    <ul className="grid gap-3">
      {findChannels(site).map(({ name, href, what }) => (
        <li key={name}>
          <a href={href} className="link inline-flex min-h-11 items-center font-semibold">
            {name}
          </a>
          <p className="text-sm text-muted">{what}</p>
        </li>
      ))}
    </ul>
  );
}

/** The chat is always available; an email address and accounts elsewhere only if the operator set them. */
export function findChannels(site: SiteConfig): Channel[] {
  const { contactEmail } = site;
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
    ...accountsOf(site),
    {
      name: "Live Chat",
      href: "/chat",
      what: "Ask other players. You need an account, and admins can read it too.",
    },
  ];
}
