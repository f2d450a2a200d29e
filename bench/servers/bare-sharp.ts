import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { readTask, serve } from "./serve.ts";

/** Reads an image from disk and resizes it for every request: the baseline for rendering. */
export type BareSharpTask = { file: string; width: number };

const { file, width } = readTask<BareSharpTask>();
sharp.concurrency(1);
sharp.cache(false);
serve(async (_request, response) => {
  const picture = sharp(await readFile(file), { animated: true, autoOrient: true });
  const resized = picture.resize({ width, fit: "cover", withoutEnlargement: true });
  const bytes = await resized.jpeg({ quality: 80, mozjpeg: true }).toBuffer();
  response
    .writeHead(200, { "content-type": "image/jpeg", "content-length": String(bytes.length) })
    .end(bytes);
});
