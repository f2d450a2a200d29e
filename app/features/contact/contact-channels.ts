import type { SiteConfig } from "#app/features/site/site-config.ts";

/**
 * Whether the operator can be reached other than by chat: by delivered messages, an email address, or an account
 * elsewhere. If not, no page may promise it.
 */
export function hasDirectChannel(site: SiteConfig): boolean {
  return site.contactDelivery !== "none" || Boolean(site.contactEmail) || accountsOf(site).length > 0;
}

/** The operator's accounts elsewhere. An unset one links to the platform's home page, where nobody is reached. */
export function accountsOf(site: SiteConfig): { name: string; href: string; what: string }[] {
  return [
    { name: "Discord", href: site.socialDiscordUrl, what: "Talk with us and with other players." },
    { name: "X", href: site.socialXUrl, what: "News, and short questions." },
    { name: "GitHub", href: site.socialGithubUrl, what: "Report a bug or suggest a change." },
  ].filter(({ href }) => URL.canParse(href) && new URL(href).pathname !== "/");
}
