/** Best first; a browser that cannot write one gives something else. */
const TYPES = { "image/webp": "webp", "image/jpeg": "jpg" } as const;
const QUALITY = 0.86;

/** What is drawn, without what a camera or a program wrote into a file; null where the browser cannot write it that small. */
export async function writePicture(canvas: OffscreenCanvas, maxBytes: number): Promise<Blob | null> {
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
