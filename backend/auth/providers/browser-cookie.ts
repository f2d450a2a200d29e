import { randomBytes } from "node:crypto";
import type { HttpRequest } from "#backend/http/http-message.ts";
import type { AuthConfig } from "../service/auth-config.ts";

/** Over https, a `__Host-` cookie: browsers accept it only from this host, for all paths. */
const NAMES = { https: "__Host-sb-provider-flow", http: "sb-provider-flow" };
const KEY = /^[A-Za-z0-9_-]{43}$/;
const KEPT_SECONDS = 3600;

/** The key of the browser that left for a provider; empty without the cookie. */
export function browserOf({ headers }: HttpRequest, config: Where): string {
  for (const part of (headers.cookie ?? "").split(";")) {
    const [name, value = ""] = part.trim().split("=", 2);
    if (name === nameOf(config) && KEY.test(value)) return value;
  }
  return "";
}

/**
 * The browser's key, and the header that sets or renews its cookie. Sign-ins in several tabs share one key, so that none
 * of them deletes the cookie when it ends.
 */
export function nameBrowser(
  request: HttpRequest,
  config: Where,
): { browser: string; headers: Record<string, string> } {
  const browser = browserOf(request, config) || randomBytes(32).toString("base64url");
  return { browser, headers: { "set-cookie": write(browser, config) } };
}

type Where = Pick<AuthConfig, "basePath" | "externalUrl">;

function isSecure({ externalUrl }: Where): boolean {
  return externalUrl.startsWith("https:");
}

function nameOf(config: Where): string {
  return isSecure(config) ? NAMES.https : NAMES.http;
}

function write(value: string, config: Where): string {
  // Apple posts a form from its own site, and only SameSite=None cookies are sent with that.
  const where = isSecure(config)
    ? "Path=/; Secure; SameSite=None"
    : `Path=${config.basePath || "/"}; SameSite=Lax`;
  return `${nameOf(config)}=${value}; ${where}; Max-Age=${KEPT_SECONDS}; HttpOnly`;
}
