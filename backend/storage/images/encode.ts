import type { FormatEnum, Metadata, Sharp } from "sharp";

/** The forms in which pictures leave the house. */
export type Output = "avif" | "webp" | "jpeg" | "png" | "gif";

const ORIGINS: Partial<Record<keyof FormatEnum, Output>> = {
  jpeg: "jpeg",
  png: "png",
  webp: "webp",
  gif: "gif",
  heif: "avif",
};

/** Which of them it is in. */
export function formatOf({ format }: Pick<Metadata, "format">): Output | undefined {
  return ORIGINS[format as keyof FormatEnum];
}

/** AVIF looks as good at a lower number. */
const AVIF_QUALITY = 0.7;

/** Its pixels alone: what a camera or a program wrote beside them is left behind. */
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
