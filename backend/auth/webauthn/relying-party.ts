import type { HttpRequest } from "#backend/http/http-message.ts";
import type { AuthConfig } from "../auth-config.ts";

/** Whom authenticators make their keys for, and the pages that may use them (WebAuthn Level 3, §4). */
export type RelyingParty = { id: string; name: string; origins: readonly string[] };

type Settings = Pick<AuthConfig, "siteUrl" | "siteName" | "relyingParty">;

/**
 * As configured; what is not, follows from the site's address. While that is this machine, the page's own address
 * counts: it may have any port, and a name that the operator has not told us yet. Nobody can be lured by that: a browser
 * lets a page use only the keys of its own name, and a page cannot choose what `Origin` says.
 */
export function findRelyingParty(
  request: HttpRequest,
  { siteUrl, siteName, relyingParty }: Settings,
): RelyingParty {
  const site = new URL(siteUrl);
  const page = site.hostname === "localhost" ? (ownOrigin(request) ?? site) : site;
  return {
    id: relyingParty.id ?? page.hostname,
    name: relyingParty.name ?? siteName,
    origins: relyingParty.origins ?? [page.origin],
  };
}

/** The address of the page that asks, where that page is of this very service. */
function ownOrigin({ headers }: HttpRequest): URL | null {
  const { origin = "", host = "" } = headers;
  if (!URL.canParse(origin)) return null;
  const page = new URL(origin);
  return page.host === host || page.hostname === host ? page : null;
}
