import type { Sharp } from "sharp";

/** Loaded lazily: a site without pictures does not need it. */
let loading: Promise<typeof import("sharp").default> | undefined;

type Opening = {
  /** Larger pictures fail when their pixels are decoded. */
  maxPixels: number;
  /** Load all frames, stacked vertically, not just the first. */
  animated?: boolean;
  /** Fail on damaged pictures; otherwise as much as can be decoded is shown. */
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
  // Only formats that browsers display as images are enabled: the loaders of SVG, PDF and others do far more than
  // decode pixels.
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
  // The queue limits how many pictures are processed at a time; each uses one core, and nothing is cached.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}
