/** Who a request acts as: the database role and the claims that `auth.uid()` and its like read. */
export type Identity = {
  role: string;
  claims: Record<string, unknown>;
  /** The claims as JSON text, with the role always in them; ready for `request.jwt.claims`. */
  claimsText: string;
};

export function toIdentity(role: string, claims: Record<string, unknown>): Identity {
  const withRole = claims.role === role ? claims : { ...claims, role };
  return { role, claims: withRole, claimsText: JSON.stringify(withRole) };
}
