/**
 * Whether this browser can create and use passkeys here: it must support WebAuthn, and the page must have a host name,
 * not an IP address. Browsers only.
 */
export function supportsPasskeys(): boolean {
  return "PublicKeyCredential" in window && !/^[\d.]+$|:/.test(location.hostname);
}
