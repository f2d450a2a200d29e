import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const TEXT = new Set([".js", ".css", ".svg", ".json", ".txt", ".webmanifest", ".ico", ".map"]);
/** Below this size, compression saves less than its header costs. */
const WORTHWHILE_BYTES = 512;

/** Writes a `.br` and a `.gz` beside every text file in the folder, at maximum compression, if that is smaller. */
export async function compressAssets(folder) {
  const files = readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter(
      (path) => TEXT.has(extname(path)) && statSync(path).isFile() && statSync(path).size >= WORTHWHILE_BYTES,
    );
  await Promise.all(files.map(compressFile));
}

async function compressFile(path) {
  const content = readFileSync(path);
  const text = {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  const copies = {
    ".br": await promisify(brotliCompress)(content, { params: text }),
    ".gz": await promisify(gzip)(content, { level: 9 }),
  };
  for (const [ending, copy] of Object.entries(copies)) {
    if (copy.length < content.length) writeFileSync(path + ending, copy);
  }
}
