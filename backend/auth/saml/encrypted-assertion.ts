import { promisify } from "node:util";
import { parseXml } from "./safe-xml.ts";

/** An assertion that was encrypted, and the key that opened it. */
export type Opened = { key: string; assertion: Element };

/** The encrypted assertion of a response, or null. */
export function findEncrypted(root: Element, refuse: (why: string) => Error): Element | null {
  const [encrypted, another] = Array.from(root.getElementsByTagNameNS("*", "EncryptedAssertion"));
  // Otherwise the library could read another one than was checked here.
  if (another) throw refuse("it has more than one encrypted assertion");
  return encrypted ?? null;
}

/**
 * Opens an encrypted assertion with the first of these keys that fits: while a key is replaced, a provider may encrypt
 * for either one. Null if no key fits, or what was encrypted is no XML, which are not told apart.
 */
export async function openEncrypted(encrypted: Element, keys: readonly string[]): Promise<Opened | null> {
  const { decrypt } = await import("xml-encryption");
  for (const key of keys) {
    try {
      const xml = await promisify(decrypt)(String(encrypted), { key, warnInsecureAlgorithm: false });
      return { key, assertion: parseXml(xml, (why) => new Error(why)) };
    } catch {
      // Another key may fit.
    }
  }
  return null;
}
