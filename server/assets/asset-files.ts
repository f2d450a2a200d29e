import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join, sep } from "node:path";
import { gzipSync } from "node:zlib";
import { type PreparedContent, prepareContent } from "../http/prepared-content.ts";

/** The built site's files by path, such as `/assets/root-abc.js`. */
export type AssetFiles = { find(path: string): PreparedContent | null };

const TYPES: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".jpg": "image/jpeg",
  // Modules and workers are UTF-8 without saying so, fifteen bytes for each of a page's twenty.
  ".js": "text/javascript",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};
const COPIES = { br: ".br", gzip: ".gz" };
const FOREVER = "max-age=31536000, immutable";
const AN_HOUR = "max-age=3600, must-revalidate";

/**
 * Reads the folder once, so that a new build does not affect a running site, and no request path can lead out of the
 * folder. Files in `/assets/` have a hash of their content in their name.
 */
export function loadAssets(folder: string, common: Record<string, string>): AssetFiles {
  const assets = new Map<string, PreparedContent>();
  for (const name of readdirSync(folder, { recursive: true })) {
    const path = join(folder, String(name));
    const isCopy = Object.values(COPIES).includes(extname(path));
    if (isCopy || !statSync(path).isFile()) continue;
    const address = `/${String(name).split(sep).join("/")}`;
    assets.set(address, loadAsset(path, address, common));
  }
  return { find: (address) => assets.get(address) ?? null };
}

const ASSETS = "/assets/";
const COMPRESSIBLE = /\.(js|css|svg)$/;

/** Adds files of earlier builds, for pages still open; each is prepared at its first request. */
export function withFormer(
  assets: AssetFiles,
  readFormer: (name: string) => Buffer | null,
  common: Record<string, string>,
): AssetFiles {
  const former = new Map<string, PreparedContent>();
  const prepare = (address: string): PreparedContent | null => {
    const identity = readFormer(address.slice(ASSETS.length));
    if (!identity) return null;
    const zipped = COMPRESSIBLE.test(address) ? gzipSync(identity) : null;
    const content = prepareContent({ identity, headers: headersOf(address, common), encode: () => zipped });
    former.set(address, content);
    return content;
  };
  return {
    find: (address) =>
      assets.find(address) ?? (address.startsWith(ASSETS) ? (former.get(address) ?? prepare(address)) : null),
  };
}

function loadAsset(path: string, address: string, common: Record<string, string>): PreparedContent {
  const copies = { br: readCopy(path + COPIES.br), gzip: readCopy(path + COPIES.gzip) };
  const encode = (_: Buffer, encoding: "br" | "gzip") => copies[encoding];
  return prepareContent({ identity: readFileSync(path), headers: headersOf(address, common), encode });
}

function headersOf(address: string, common: Record<string, string>): Record<string, string> {
  return {
    ...common,
    "content-type": TYPES[extname(address)] ?? "application/octet-stream",
    "cache-control": address.startsWith(ASSETS) ? FOREVER : AN_HOUR,
  };
}

function readCopy(path: string): Buffer | null {
  return existsSync(path) ? readFileSync(path) : null;
}
