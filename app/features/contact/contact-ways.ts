import type { SiteConfig } from "#app/features/site/site-config.ts";

/**
 * Whether there is a way to the operator besides the chat: messages that are delivered, an address, or an account
 * elsewhere. Where there is none no page may promise one.
 */
export function hasDirectWay(site: SiteConfig): boolean {
  return site.contactDelivery !== "none" || Boolean(site.contactEmail) || accountsOf(site).length > 0;
}

/** The operator's accounts elsewhere; without one there stands the platform's own home page, which reaches nobody of ours. */
export function accountsOf(site: SiteConfig): { name: string; href: string; what: string }[] {
  return [
    { name: "Discord", href: site.socialDiscordUrl, what: "Talk with us and with other players." },
    { name: "X", href: site.socialXUrl, what: "News, and short questions." },
    { name: "GitHub", href: site.socialGithubUrl, what: "Report a bug or suggest a change." },
  ].filter(({ href }) => URL.canParse(href) && new URL(href).pathname !== "/");
}
