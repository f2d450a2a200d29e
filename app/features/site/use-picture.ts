import { type ComponentProps, useState } from "react";
import { useSiteConfig } from "./use-site-config.ts";

/**
 * What an `<img>` needs to show a picture inside a square of `size` CSS pixels; null where there is none, or it cannot be
 * loaded. An uploaded one comes in that size, and in twice that for fine screens, in the best format that the browser
 * takes, and from this site's backend whatever host its address names. Others stay as they are.
 */
export function usePicture(src: string | null | undefined, size: number): ComponentProps<"img"> | null {
  const storage = `${useSiteConfig().supabaseUrl}/storage/v1/`;
  const [broken, setBroken] = useState<string>();
  const name = src?.split("/storage/v1/object/public/")[1];
  const plain = name ? `${storage}object/public/${name}` : src;
  if (!plain || broken === plain) return null;
  const render = (side: number) =>
    `${storage}render/image/public/${name}?width=${side}&height=${side}&resize=contain`;
  // A backend that renders no sizes has the picture all the same.
  const isSized = name && broken !== render(size);
  const shown = isSized ? render(size) : plain;
  return {
    src: shown,
    srcSet: isSized ? `${shown} 1x, ${render(size * 2)} 2x` : undefined,
    width: size,
    height: size,
    onError: () => setBroken(shown),
    // One that failed before the page came alive has no event left to tell of it.
    ref: (image) => {
      if (image?.complete && image.naturalWidth === 0) setBroken(shown);
    },
  };
}
