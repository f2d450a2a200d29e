import { usePicture } from "#app/features/site/use-picture.ts";

/** As the slots show it, so that it is one file to load. */
const LOADED_SIZE = 72;

/** An item's picture on a pan; a weight where it has none. */
export function PanPicture({ src, size }: { src: string | null; size: number }) {
  const picture = usePicture(src, LOADED_SIZE);
  if (picture)
    return <image href={picture.src} width={size} height={size} onError={picture.onError as never} />;
  return <circle cx={size / 2} cy={size / 2} r={size * 0.38} className="balance-weight" />;
}
