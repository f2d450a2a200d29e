import type { HttpRequest } from "#backend/http/http-message.ts";

/** The site that keys are scoped to, and the origins that may use them (WebAuthn Level 3, §4). */
export type RelyingParty = { id: string; name: string; origins: readonly string[] };

/** The settings that determine the relying party. */
export type RelyingPartySettings = {
  siteUrl: string;
  siteName: string;
  /**
   * The relying party; null members are derived from the site's URL and name (GOTRUE_WEBAUTHN_RP_ID,
   * GOTRUE_WEBAUTHN_RP_DISPLAY_NAME, GOTRUE_WEBAUTHN_RP_ORIGINS).
   */
  relyingParty: { id: string | null; name: string | null; origins: readonly string[] | null };
};

/**
 * The configured relying party; unset members are derived from the site's URL. If that is localhost, they are derived
 * from the calling page's origin instead, which may have any port or a host name that is not configured yet. That is
 * safe: a browser lets a page use only the keys of its own host, and a page cannot choose its `Origin`.
 */
export function findRelyingParty(
  request: HttpRequest,
  { siteUrl, siteName, relyingParty }: RelyingPartySettings,
): RelyingParty {
  const site = new URL(siteUrl);
  const page = site.hostname === "localhost" ? (ownOrigin(request) ?? site) : site;
  return {
    id: relyingParty.id ?? page.hostname,
    name: relyingParty.name ?? siteName,
    origins: relyingParty.origins ?? [page.origin],
  };
}

/** The calling page's origin, if it is served from the same host. */
function ownOrigin({ headers }: HttpRequest): URL | null {
  const { origin = "", host = "" } = headers;
  if (!URL.canParse(origin)) return null;
  const page = new URL(origin);
  return page.host === host || page.hostname === host ? page : null;
}
