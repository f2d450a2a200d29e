/** In order of preference; a browser that cannot encode one returns another type. */
const TYPES = { "image/webp": "webp", "image/jpeg": "jpg" } as const;
const QUALITY = 0.86;

/** The part of a picture that is stored, and its target size. */
type Frame = {
  part: [left: number, top: number, width: number, height: number];
  width: number;
  height: number;
};

/** Re-encodes a picture without metadata; null if it is none, or cannot be encoded small enough. */
export async function preparePicture(
  file: File,
  maxBytes: number,
  frameOf: (picture: { width: number; height: number }) => Frame,
): Promise<Blob | null> {
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) return null;
  const { part, width, height } = frameOf(picture);
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  if (!context) return null;
  // The background of transparent pictures in types without transparency.
  context.fillStyle = "white";
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, ...part, 0, 0, width, height);
  picture.close();
  for (const type of Object.keys(TYPES)) {
    const blob = await canvas.convertToBlob({ type, quality: QUALITY });
    if (blob.type === type && blob.size <= maxBytes) return blob;
  }
  return null;
}

/** A random file name for an encoded picture. */
export function nameOfPicture({ type }: Blob): string {
  return `${crypto.randomUUID()}.${TYPES[type as keyof typeof TYPES]}`;
}
