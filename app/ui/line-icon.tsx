type LineIconProps = {
  /** Drawn in an 18 × 18 box. */
  path: string;
  width?: number;
};

/** A small line icon in the color of the text beside it; hidden from screen readers. */
export function LineIcon({ path, width = 1.75 }: LineIconProps) {
  return (
    <svg
      aria-hidden="true"
      width="18"
      height="18"
      viewBox="0 0 18 18"
      fill="none"
      stroke="currentColor"
      strokeWidth={width}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={path} />
    </svg>
  );
}
