import { type ComponentProps, useState } from "react";
import { useSiteConfig } from "./use-site-config.ts";

const STORED = "/storage/v1/object/public/";

/**
 * What an `<img>` needs to show a picture as a square of `size` CSS pixels; null where there is none, or it cannot be
 * loaded. An uploaded one comes in that size, and in twice that for fine screens, in the best format that the browser
 * takes, and from this site's backend whatever host its address names. Others stay as they are.
 */
export function usePicture(
  src: string | null | undefined,
  size: number,
  fit: "contain" | "cover",
): ComponentProps<"img"> | null {
  const { supabaseUrl } = useSiteConfig();
  const [broken, setBroken] = useState<string>();
  const name = src?.split(STORED)[1];
  const plain = name ? supabaseUrl + STORED + name : src;
  if (!plain || broken === plain) return null;
  const render = (side: number) =>
    `${supabaseUrl}/storage/v1/render/image/public/${name}?width=${side}&height=${side}&resize=${fit}`;
  const sized = name ? render(size) : plain;
  // A backend that renders no sizes has the picture all the same.
  const isPlain = sized === plain || broken === sized;
  const shown = isPlain ? plain : sized;
  return {
    src: shown,
    srcSet: isPlain ? undefined : `${sized} 1x, ${render(size * 2)} 2x`,
    width: size,
    height: size,
    decoding: "async",
    onError: () => setBroken(shown),
    // One that failed before the page came alive has no event left to tell of it.
    ref: (image) => {
      if (image?.complete && image.naturalWidth === 0) setBroken(shown);
    },
  };
}
