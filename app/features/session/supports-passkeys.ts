/**
 * Whether this browser can make and use passkeys here: it must know WebAuthn, and the page must have a name, which a bare
 * network address is not. Browsers only.
 */
export function supportsPasskeys(): boolean {
  return "PublicKeyCredential" in window && !/^[\d.]+$|:/.test(location.hostname);
}
