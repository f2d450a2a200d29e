import type { FormatEnum, Metadata, Sharp } from "sharp";

/** Output formats. */
export type Output = "avif" | "webp" | "jpeg" | "png" | "gif";

const ORIGINS: Partial<Record<keyof FormatEnum, Output>> = {
  jpeg: "jpeg",
  png: "png",
  webp: "webp",
  gif: "gif",
  heif: "avif",
};

/** The output format matching the source's format. */
export function formatOf({ format }: Pick<Metadata, "format">): Output | undefined {
  return ORIGINS[format as keyof FormatEnum];
}

/** AVIF looks the same at a lower quality setting. */
const AVIF_QUALITY = 0.7;

/** Writes the pixels only: metadata of cameras and editors is dropped. */
export function encode(picture: Sharp, output: Output, quality: number): Sharp {
  switch (output) {
    case "avif":
      return picture.avif({ quality: Math.round(quality * AVIF_QUALITY), effort: 3 });
    case "webp":
      return picture.webp({ quality, effort: 4 });
    case "jpeg":
      return picture.jpeg({ quality, mozjpeg: true });
    case "png":
      return picture.png({ compressionLevel: 9 });
    case "gif":
      return picture.gif();
  }
}
