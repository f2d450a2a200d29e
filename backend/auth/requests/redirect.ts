import { posix } from "node:path";
import type { AuthConfig } from "../service/auth-config.ts";
import type { Call, Reply } from "./call.ts";

/**
 * The link's final target (from query or header) if it is on the site or the allow list, otherwise the site. Any other
 * target would give sessions to whoever wrote the link.
 */
export function readRedirect({ query, request }: Call, config: AuthConfig): string {
  const target = query.get("redirect_to") ?? request.headers.redirect_to ?? "";
  return isAllowed(target, config) ? target : config.siteUrl;
}

type RedirectParams = { query?: Record<string, string>; fragment?: Record<string, string> };

/**
 * Redirects the browser. Browsers do not send fragments to servers; the fragment ends the way the official client
 * expects.
 */
export function redirect(address: string, { query = {}, fragment }: RedirectParams, status = 303): Reply {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  if (fragment) url.hash = new URLSearchParams({ ...fragment, sb: "" }).toString();
  return { status, headers: { location: url.href } };
}

/**
 * Sends the browser away from the site. Without a fragment in the new address, browsers carry over that of the last one,
 * and a mailed link's holds a session.
 */
export function redirectAway(address: string, status = 302, headers: Record<string, string> = {}): Reply {
  return { status, headers: { ...headers, location: address.includes("#") ? address : `${address}#` } };
}

/**
 * Whether a URL is on the site or the allow list. This service's own addresses are no pages: some of them redirect to
 * applications and providers.
 */
export function isAllowed(target: string, { siteUrl, externalUrl, uriAllowList }: AuthConfig): boolean {
  if (!URL.canParse(target)) return false;
  const { origin, protocol, pathname, search, username, password, href } = new URL(target);
  if (username || password) return false;
  const own = new URL(externalUrl);
  if (origin === own.origin && own.pathname !== "/" && asRouted(pathname).startsWith(own.pathname))
    return false;
  const isWeb = protocol === "http:" || protocol === "https:";
  if (isWeb && origin === new URL(siteUrl).origin) return true;
  // Uses the browser's normalization: `https://1\.allowed.test` is the host `0.0.0.1`. A bare host may be listed
  // without the slash.
  const read = href.split("#", 1)[0] as string;
  const bare = isWeb && pathname === "/" && search === "" ? origin : read;
  return uriAllowList.some((pattern) => matchesPattern(pattern, read) || matchesPattern(pattern, bare));
}

/** As a gateway may read it that passes requests on: nginx decodes a path and resolves it again. */
function asRouted(pathname: string): string {
  try {
    return posix.normalize(decodeURIComponent(pathname));
  } catch {
    return pathname;
  }
}

/** `*` matches anything up to the next `.` or `/`, `**` anything at all, `?` one character except these two. */
function matchesPattern(pattern: string, address: string): boolean {
  const source = pattern.replace(/\*\*|[*?]|[^*?]+/g, (part) => {
    if (part === "**") return ".*";
    if (part === "*") return "[^./]*";
    if (part === "?") return "[^./]";
    return part.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${source}$`).test(address);
}
