import { randomBytes } from "node:crypto";
import type { HttpRequest } from "#backend/http/http-message.ts";
import type { AuthConfig } from "../service/auth-config.ts";

/** Over https a name that browsers take from this host alone, and for all of it. */
const NAMES = { https: "__Host-sb-provider-flow", http: "sb-provider-flow" };
const KEY = /^[A-Za-z0-9_-]{43}$/;
const KEPT_SECONDS = 3600;

/** What tells the browser that left for a provider from every other; empty for one without the cookie. */
export function browserOf({ headers }: HttpRequest, config: Where): string {
  for (const part of (headers.cookie ?? "").split(";")) {
    const [name, value = ""] = part.trim().split("=", 2);
    if (name === nameOf(config) && KEY.test(value)) return value;
  }
  return "";
}

/** The browser's key, and the header that gives it one or keeps the one it has: sign-ins in several tabs share it. */
export function nameBrowser(
  request: HttpRequest,
  config: Where,
): { browser: string; headers: Record<string, string> } {
  const browser = browserOf(request, config) || randomBytes(32).toString("base64url");
  return { browser, headers: { "set-cookie": write(browser, KEPT_SECONDS, config) } };
}

/** The header that makes a browser forget its key, now that it is back. */
export function forgetBrowser(config: Where): Record<string, string> {
  return { "set-cookie": write("", 0, config) };
}

type Where = Pick<AuthConfig, "basePath" | "externalUrl">;

function isSecure({ externalUrl }: Where): boolean {
  return externalUrl.startsWith("https:");
}

function nameOf(config: Where): string {
  return isSecure(config) ? NAMES.https : NAMES.http;
}

function write(value: string, seconds: number, config: Where): string {
  // Apple comes back by a form from its own site, and only such cookies go along with one.
  const where = isSecure(config)
    ? "Path=/; Secure; SameSite=None"
    : `Path=${config.basePath || "/"}; SameSite=Lax`;
  return `${nameOf(config)}=${value}; ${where}; Max-Age=${seconds}; HttpOnly`;
}
