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
 * Lists a folder once; each file is read when it is first asked for, and then kept. Only what was listed is ever
 * opened, so no address leads out of the folder. Files in `/assets/` carry a hash of their content in their name.
 */
export function listAssets(folder: string, common: Record<string, string>): AssetFiles {
  const paths = new Map<string, string>();
  for (const name of readdirSync(folder, { recursive: true })) {
    const path = join(folder, String(name));
    const isCopy = Object.values(COPIES).includes(extname(path));
    if (!isCopy && statSync(path).isFile()) paths.set(`/${String(name).split(sep).join("/")}`, path);
  }
  const loaded = new Map<string, PreparedContent>();
  return {
    find(address) {
      const ready = loaded.get(address);
      if (ready) return ready;
      const path = paths.get(address);
      if (!path) return null;
      const content = loadAsset(path, address, common);
      loaded.set(address, content);
      return content;
    },
  };
}

function loadAsset(path: string, address: string, common: Record<string, string>): PreparedContent {
  const headers = {
    ...common,
    "content-type": TYPES[extname(path)] ?? "application/octet-stream",
    "cache-control": address.startsWith("/assets/") ? FOREVER : AN_HOUR,
  };
  const encode = (_: Buffer, encoding: "br" | "gzip") => {
    const copy = path + COPIES[encoding];
    return existsSync(copy) ? readFileSync(copy) : null;
  };
  return prepareContent({ identity: readFileSync(path), headers, encode });
}
