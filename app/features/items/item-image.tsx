import { useState } from "react";

type ItemImageProps = {
  /** Absent or unreachable: the placeholder, at the same size. */
  src: string | null | undefined;
  /** Empty where the name stands beside it. */
  alt?: string;
  /** Square, in CSS pixels; the space it holds before it is loaded. */
  size: number;
  /** For the pictures that are in view on arrival. */
  eager?: boolean;
  className?: string;
};

/** The picture of an item, or a placeholder in its place; never a broken image. */
export function ItemImage({ src, alt = "", size, eager = false, className = "" }: ItemImageProps) {
  const [broken, setBroken] = useState<string | null>(null);
  if (!src || broken === src) return <ItemPlaceholder alt={alt} size={size} className={className} />;
  return (
    <img
      src={src}
      alt={alt}
      width={size}
      height={size}
      loading={eager ? undefined : "lazy"}
      decoding="async"
      className={`object-contain ${className}`}
      onError={() => setBroken(src)}
      // One that failed before the page came alive has no event left to tell of it.
      ref={(image) => {
        if (image?.complete && image.naturalWidth === 0) setBroken(src);
      }}
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
