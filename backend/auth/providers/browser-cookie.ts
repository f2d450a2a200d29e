import { randomBytes } from "node:crypto";
import type { HttpRequest } from "#backend/http/http-message.ts";
import type { AuthConfig } from "../service/auth-config.ts";

const NAME = "sb-provider-flow";
const KEY = /^[A-Za-z0-9_-]{43}$/;
const KEPT_SECONDS = 3600;

/** What tells the browser that left for a provider from every other; empty for one without the cookie. */
export function browserOf({ headers }: HttpRequest): string {
  for (const part of (headers.cookie ?? "").split(";")) {
    const [name, value = ""] = part.trim().split("=", 2);
    if (name === NAME && KEY.test(value)) return value;
  }
  return "";
}

/** The browser's key, and the header that gives it one or keeps the one it has: sign-ins in several tabs share it. */
export function nameBrowser(
  request: HttpRequest,
  { basePath, externalUrl }: Pick<AuthConfig, "basePath" | "externalUrl">,
): { browser: string; headers: Record<string, string> } {
  const browser = browserOf(request) || randomBytes(32).toString("base64url");
  // Apple comes back by a form from its own site, and only such cookies go along with one.
  const across = externalUrl.startsWith("https:") ? "SameSite=None; Secure" : "SameSite=Lax";
  const cookie = `${NAME}=${browser}; Path=${basePath || "/"}; Max-Age=${KEPT_SECONDS}; HttpOnly; ${across}`;
  return { browser, headers: { "set-cookie": cookie } };
}
