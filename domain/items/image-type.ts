import { LIMITS } from "../text/limits.ts";

export type ImageType = (typeof LIMITS.image.types)[number];

/** The notice for a rejected image (5.image.01–03). */
export type ImageRefusal = { title: string; description: string };

/** The first bytes of each type; a dot matches any byte. */
const BEGINNINGS: Record<ImageType, RegExp> = {
  "image/jpeg": /^\xff\xd8\xff/,
  "image/png": /^\x89PNG\r\n/,
  "image/webp": /^RIFF[\s\S]{4}WEBP/,
  "image/gif": /^GIF8[79]a/,
};

/** Detects an image's type from its first bytes, whatever its file name; null for other content (P18). */
function findImageType(bytes: Uint8Array): ImageType | null {
  const head = String.fromCharCode(...bytes.subarray(0, 16));
  return LIMITS.image.types.find((type) => BEGINNINGS[type].test(head)) ?? null;
}

/** Checks an image's size in bytes and first bytes: its type, or why it is rejected (5.image.01–03). */
export function judgeImage(size: number, head: Uint8Array): { type: ImageType } | { refusal: ImageRefusal } {
  const type = findImageType(head);
  if (size > LIMITS.image.maxBytes) {
    return { refusal: { title: "File Too Large", description: "Image must be less than 5MB" } };
  }
  if (type === null) {
    const description = "Only JPG, PNG, WEBP, and GIF images are allowed";
    return { refusal: { title: "Invalid File Type", description } };
  }
  return { type };
}
