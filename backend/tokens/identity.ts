/** The identity a request acts as: the database role, and the claims that `auth.uid()` and similar functions read. */
export type Identity = {
  role: string;
  claims: Record<string, unknown>;
  /** The claims as JSON, always including the role; used as `request.jwt.claims`. */
  claimsText: string;
};

export function toIdentity(role: string, claims: Record<string, unknown>): Identity {
  const withRole = claims.role === role ? claims : { ...claims, role };
  return { role, claims: withRole, claimsText: JSON.stringify(withRole) };
}
