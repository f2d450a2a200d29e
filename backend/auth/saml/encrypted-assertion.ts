import { promisify } from "node:util";
import { parseXml } from "./safe-xml.ts";

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
  const [encrypted, another] = Array.from(root.getElementsByTagNameNS("*", "EncryptedAssertion"));
  if (!encrypted) return null;
  // Otherwise the library could read another one than was checked here.
  if (another) throw refuse("it has more than one encrypted assertion");
  const { decrypt } = await import("xml-encryption");
  for (const key of keys) {
    const options = { key, warnInsecureAlgorithm: false };
    const xml = await promisify(decrypt)(String(encrypted), options).catch(() => null);
    if (xml !== null) return { key, assertion: parseXml(xml, refuse) };
  }
  return null;
}
