import { LIMITS } from "../text/limits.ts";

export type ImageType = (typeof LIMITS.image.types)[number];

/** Why an image is refused, as its notice says it (5.image.01–03). */
export type ImageRefusal = { title: string; description: string };

/** How each type begins; a dot stands for any byte. */
const BEGINNINGS: Record<ImageType, RegExp> = {
  "image/jpeg": /^\xff\xd8\xff/,
  "image/png": /^\x89PNG\r\n/,
  "image/webp": /^RIFF[\s\S]{4}WEBP/,
  "image/gif": /^GIF8[79]a/,
};

/** The type of an image by its first bytes, whatever its name says; null for any other content (P18). */
function findImageType(bytes: Uint8Array): ImageType | null {
  const head = String.fromCharCode(...bytes.subarray(0, 16));
  return LIMITS.image.types.find((type) => BEGINNINGS[type].test(head)) ?? null;
}

/** An image that may be uploaded, by its size in bytes and its first bytes, or why it may not (5.image.01–03). */
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
