import { usePicture } from "#app/features/site/use-picture.ts";

export type ItemImageProps = {
  /** If missing or unreachable, the placeholder is shown at the same size. */
  src: string | null | undefined;
  /** Empty if the name stands beside it. */
  alt?: string;
  /** The side of the square in CSS pixels, reserved before the image has loaded. */
  size: number;
  /** For images in the initial viewport. */
  eager?: boolean;
  className?: string;
};

/** An item's image, or a placeholder; never a broken image. */
export function ItemImage({ src, alt = "", size, eager = false, className = "" }: ItemImageProps) {
  const picture = usePicture(src, size);
  if (!picture) return <ItemPlaceholder alt={alt} size={size} className={className} />;
  return (
    <img
      {...picture}
      alt={alt}
      decoding="async"
      loading={eager ? undefined : "lazy"}
      className={`object-contain ${className}`}
    />
  );
}

function ItemPlaceholder({ alt, size, className }: { alt: string; size: number; className: string }) {
  const drawing = (
    <svg
      aria-hidden="true"
      data-placeholder=""
      width={size}
      height={size}
      viewBox="-6 -6 60 60"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.5"
      className={`text-line-strong ${className}`}
    >
      <path d="M24 15c-9-4-15 2-15 11 0 8 7 14 15 14s15-6 15-14c0-9-6-15-15-11Z" strokeDasharray="4 4" />
      <path d="M24 15c0-5 3-8 8-9" strokeLinecap="round" />
    </svg>
  );
  return alt ? (
    <span role="img" aria-label={alt}>
      {drawing}
    </span>
  ) : (
    drawing
  );
}
