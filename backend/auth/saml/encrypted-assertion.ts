import { promisify } from "node:util";
import { parseXml } from "./safe-xml.ts";

const ASSERTION = "urn:oasis:names:tc:SAML:2.0:assertion";

/** An assertion that was encrypted, and the key that opened it. */
export type Opened = { key: string; assertion: Element };

/**
 * Opens the encrypted assertion of a response with the first of these keys that fits: while a key is replaced, a
 * provider may encrypt for either one. Null if none is encrypted, or no key fits.
 */
export async function openEncrypted(
  root: Element,
  keys: readonly string[],
  refuse: (why: string) => Error,
): Promise<Opened | null> {
  const [encrypted] = Array.from(root.getElementsByTagNameNS(ASSERTION, "EncryptedAssertion"));
  if (!encrypted) return null;
  const { decrypt } = await import("xml-encryption");
  for (const key of keys) {
    const options = { key, warnInsecureAlgorithm: false };
    const xml = await promisify(decrypt)(String(encrypted), options).catch(() => null);
    if (xml !== null) return { key, assertion: parseXml(xml, refuse) };
  }
  return null;
}
