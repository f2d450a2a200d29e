/** The user data an application may request (OpenID Connect Core §5.4). */
export const SCOPES = ["openid", "profile", "email", "phone"] as const;

export type Scope = (typeof SCOPES)[number];

/** Splits a space-separated list of scopes (RFC 6749 §3.3), without duplicates. */
export function parseScopes(text: string): string[] {
  return [...new Set(text.split(" ").filter((scope) => scope !== ""))];
}

export function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text);
}
