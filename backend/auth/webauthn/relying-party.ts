import type { HttpRequest } from "#backend/http/http-message.ts";

/** Whom authenticators make their keys for, and the pages that may use them (WebAuthn Level 3, §4). */
export type RelyingParty = { id: string; name: string; origins: readonly string[] };

/** The operator's settings that it follows from. */
export type RelyingPartySettings = {
  siteUrl: string;
  siteName: string;
  /**
   * Whom authenticators make their keys for; null for what follows from the site's address and name
   * (GOTRUE_WEBAUTHN_RP_ID, GOTRUE_WEBAUTHN_RP_DISPLAY_NAME, GOTRUE_WEBAUTHN_RP_ORIGINS).
   */
  relyingParty: { id: string | null; name: string | null; origins: readonly string[] | null };
};

/**
 * As configured; what is not, follows from the site's address. While that is localhost, the page's own address counts:
 * it may have any port, and a host name that is not configured yet. That is safe: a browser lets a page use only the keys
 * of its own host, and a page cannot choose its `Origin`.
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

/** The address of the calling page, where it is served from the same host. */
function ownOrigin({ headers }: HttpRequest): URL | null {
  const { origin = "", host = "" } = headers;
  if (!URL.canParse(origin)) return null;
  const page = new URL(origin);
  return page.host === host || page.hostname === host ? page : null;
}
