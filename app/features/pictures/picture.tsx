import { type ReactNode, useState } from "react";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Drawing, type PictureProps } from "./drawing.tsx";

export type SourceProps = PictureProps & {
  src: string | null | undefined;
  /** For pictures in the initial viewport. */
  eager?: boolean | undefined;
  /** A drawing's own file instead of the sheet, which is more than a page with few of them needs. */
  alone?: boolean | undefined;
};

/**
 * The drawing or uploaded picture in a square, `otherwise` if there is none or it fails to load. Uploads are requested at
 * that size, and at twice that for high-density screens, in the best format the browser accepts, from this site's
 * backend whatever host the address names. Others are used as they are.
 */
export function Picture({
  src,
  size,
  eager,
  alone,
  otherwise,
  ...props
}: SourceProps & { otherwise?: ReactNode }) {
  const storage = `${useSiteConfig().supabaseUrl}/storage/v1/`;
  const [broken, setBroken] = useState<string>();
  const [, drawing] = /^\/items\/([\w-]+)\.svg/.exec(src ?? "") ?? [];
  if (drawing && (!alone || broken)) return <Drawing name={drawing} size={size} {...props} />;
  const name = src?.split("/storage/v1/object/public/")[1];
  const plain = name ? `${storage}object/public/${name}` : src;
  if (!plain || broken === plain) return otherwise;
  const render = (side: number) =>
    `${storage}render/image/public/${name}?width=${side}&height=${side}&resize=contain`;
  // Falls back to the original if the backend renders no sizes.
  const isSized = name && broken !== render(size);
  const shown = isSized ? render(size) : plain;
  return (
    <img
      alt=""
      {...props}
      src={shown}
      srcSet={isSized ? `${shown} 1x, ${render(size * 2)} 2x` : undefined}
      width={size}
      height={size}
      decoding="async"
      loading={eager ? undefined : "lazy"}
      onError={() => setBroken(shown)}
      // An image that failed before hydration no longer fires an event.
      ref={(image) => {
        if (image?.complete && image.naturalWidth === 0) setBroken(shown);
      }}
    />
  );
}
