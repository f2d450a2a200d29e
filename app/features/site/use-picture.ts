import { type ComponentProps, useState } from "react";
import { useSiteConfig } from "./use-site-config.ts";

/**
 * The `<img>` attributes for a picture inside a square of `size` CSS pixels; null if there is none or it fails to load.
 * Uploaded pictures are requested at that size, and at twice that for high-density screens, in the best format the
 * browser accepts, from this site's backend whatever host the address names. Others are used as they are.
 */
export function usePicture(src: string | null | undefined, size: number): ComponentProps<"img"> | null {
  const storage = `${useSiteConfig().supabaseUrl}/storage/v1/`;
  const [broken, setBroken] = useState<string>();
  const name = src?.split("/storage/v1/object/public/")[1];
  const plain = name ? `${storage}object/public/${name}` : src;
  if (!plain || broken === plain) return null;
  const render = (side: number) =>
    `${storage}render/image/public/${name}?width=${side}&height=${side}&resize=contain`;
  // Falls back to the original if the backend renders no sizes.
  const isSized = name && broken !== render(size);
  const shown = isSized ? render(size) : plain;
  return {
    src: shown,
    srcSet: isSized ? `${shown} 1x, ${render(size * 2)} 2x` : undefined,
    width: size,
    height: size,
    onError: () => setBroken(shown),
    // An image that failed before hydration no longer fires an event.
    ref: (image) => {
      if (image?.complete && image.naturalWidth === 0) setBroken(shown);
    },
  };
}
