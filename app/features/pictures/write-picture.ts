/** Best first; a browser that cannot write one gives something else. */
const TYPES = { "image/webp": "webp", "image/jpeg": "jpg" } as const;
const QUALITY = 0.86;

/** Which part of a picture is stored, and how large that is drawn. */
type Frame = {
  part: [left: number, top: number, width: number, height: number];
  width: number;
  height: number;
};

/**
 * A picture as it is stored, without what a camera or a program wrote into it; null for a file that is no picture, and where
 * the browser cannot write it that small.
 */
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
  // Behind a picture that one sees through, where the type knows no transparency.
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

/** A new name for a written picture, which says nothing. */
export function nameOfPicture({ type }: Blob): string {
  return `${crypto.randomUUID()}.${TYPES[type as keyof typeof TYPES]}`;
}
