import drawings from "./drawings.svg";

export type PictureProps = {
  /** Empty if its name stands beside it. */
  alt?: string | undefined;
  /** The side of the square in CSS pixels, reserved before the picture has loaded. */
  size: number;
  className?: string | undefined;
  /** The background of a drawing that a user picked. */
  "data-color"?: string | undefined;
};

/** A drawing of the catalog, as its part of the sheet with all of them; the outline of a fruit if none has the name. */
export function Drawing({
  name = "",
  alt = "",
  size,
  className = "",
  ...color
}: PictureProps & { name?: string }) {
  return (
    <img
      {...color}
      src={drawings}
      alt={alt}
      width={size}
      height={size}
      decoding="async"
      className={`drawing drawing-${name} ${className}`}
    />
  );
}
