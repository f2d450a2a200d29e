import { Drawing } from "#app/features/pictures/drawing.tsx";
import { Picture, type SourceProps } from "#app/features/pictures/picture.tsx";

/** An item's image, or a placeholder of the same size; never a broken image. */
export function ItemImage(props: SourceProps) {
  const { src, eager, alone, ...shown } = props;
  return <Picture {...props} otherwise={<Drawing {...shown} />} />;
}
