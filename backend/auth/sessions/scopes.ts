/** What an application may ask to know of a person (OpenID Connect Core §5.4). */
export const SCOPES = ["openid", "profile", "email", "phone"] as const;

export type Scope = (typeof SCOPES)[number];

/** The scopes of a text that parts them by spaces (RFC 6749 §3.3), each once. */
export function parseScopes(text: string): string[] {
  return [...new Set(text.split(" ").filter((scope) => scope !== ""))];
}

export function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text);
}
