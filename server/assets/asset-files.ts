import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join, sep } from "node:path";
import { type PreparedContent, prepareContent } from "../http/prepared-content.ts";

/** The built site's files by address, such as `/assets/root-abc.js`. */
export type AssetFiles = { find(path: string): PreparedContent | null };

const TYPES: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};
const COPIES = { br: ".br", gzip: ".gz" };
const FOREVER = "public, max-age=31536000, immutable";
const AN_HOUR = "public, max-age=3600, must-revalidate";

/**
 * Reads a folder once, so that a new build beside a running site takes nothing from under it, and no address ever
 * leads out of the folder. Files in `/assets/` carry a hash of their content in their name.
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

function loadAsset(path: string, address: string, common: Record<string, string>): PreparedContent {
  const headers = {
    ...common,
    "content-type": TYPES[extname(path)] ?? "application/octet-stream",
    "cache-control": address.startsWith("/assets/") ? FOREVER : AN_HOUR,
  };
  const copies = { br: readCopy(path + COPIES.br), gzip: readCopy(path + COPIES.gzip) };
  const encode = (_: Buffer, encoding: "br" | "gzip") => copies[encoding];
  return prepareContent({ identity: readFileSync(path), headers, encode });
}

function readCopy(path: string): Buffer | null {
  return existsSync(path) ? readFileSync(path) : null;
}
