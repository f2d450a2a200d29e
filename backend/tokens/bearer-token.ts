/**
 * The token of an `Authorization` header (RFC 6750), whose scheme may be written in any case. It is all that follows, so
 * that a malformed token is refused instead of making its bearer a visitor; empty if nothing follows. Undefined without
 * the header, or for another scheme.
 */
export function bearerToken(header: string | undefined): string | undefined {
  return header !== undefined && /^bearer(\s|$)/i.test(header)
    ? header.slice("bearer".length).trim()
    : undefined;
}
