import type { AuthConfig } from "../service/auth-config.ts";
import type { Call, Reply } from "./call.ts";

/**
 * Where a link leads in the end: the address target for (query or header) if it is the site's own or one of the allowed
 * ones, else the site. Anything else would hand sessions to whoever wrote the link.
 */
export function readRedirect({ query, request }: Call, config: AuthConfig): string {
  const target = query.get("redirect_to") ?? request.headers.redirect_to ?? "";
  return isAllowed(target, config) ? target : config.siteUrl;
}

type Told = { query?: Record<string, string>; fragment?: Record<string, string> };

/** Sends the browser on; a fragment it sends to no server, and ends as the official client expects it. */
export function redirect(address: string, { query = {}, fragment }: Told, status = 303): Reply {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  if (fragment) url.hash = new URLSearchParams({ ...fragment, sb: "" }).toString();
  return { status, headers: { location: url.href } };
}

/** Whether it is the site's own address or one of the allowed ones. */
export function isAllowed(target: string, { siteUrl, uriAllowList }: AuthConfig): boolean {
  if (!URL.canParse(target)) return false;
  const { origin, protocol, pathname, search, username, password, href } = new URL(target);
  if (username || password) return false;
  const isWeb = protocol === "http:" || protocol === "https:";
  if (isWeb && origin === new URL(siteUrl).origin) return true;
  // As a browser reads it: `https://1\.allowed.test` is the host `0.0.0.1`. A bare host may be listed without its slash.
  const read = href.split("#", 1)[0] as string;
  const bare = isWeb && pathname === "/" && search === "" ? origin : read;
  return uriAllowList.some((pattern) => matchesPattern(pattern, read) || matchesPattern(pattern, bare));
}

/** `*` stands for anything up to the next `.` or `/`, `**` for anything at all, `?` for one character. */
function matchesPattern(pattern: string, address: string): boolean {
  const source = pattern.replace(/\*\*|[*?]|[^*?]+/g, (part) => {
    if (part === "**") return ".*";
    if (part === "*") return "[^./]*";
    if (part === "?") return "[^./]";
    return part.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${source}$`).test(address);
}
