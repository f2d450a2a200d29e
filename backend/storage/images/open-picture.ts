import type { Sharp } from "sharp";

/** Loaded with the first picture: a site that has none needs none of it. */
let loading: Promise<typeof import("sharp").default> | undefined;

type Opening = {
  /** Larger ones fail when their pixels are asked for. */
  maxPixels: number;
  /** All frames, one below the other, and not the first alone. */
  animated?: boolean;
  /** A picture that is damaged fails; else as much of it is shown as there is. */
  strict?: boolean;
};

export async function openPicture(
  source: string | Uint8Array,
  { maxPixels, animated = true, strict = false }: Opening,
): Promise<Sharp> {
  loading ??= loadSharp();
  const sharp = await loading;
  return sharp(source, {
    animated,
    limitInputPixels: maxPixels,
    failOn: strict ? "error" : "none",
    autoOrient: true,
  });
}

async function loadSharp() {
  const { default: sharp } = await import("sharp");
  // Only what browsers show as a picture is read at all: SVG, PDF and the rest have loaders that do far more than that.
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({
    operation: [
      "VipsForeignLoadJpeg",
      "VipsForeignLoadPng",
      "VipsForeignLoadWebp",
      "VipsForeignLoadNsgif",
      "VipsForeignLoadHeif",
    ],
  });
  // The queue says how many pictures are worked on at a time; one takes one core, and nothing is kept for later.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}
