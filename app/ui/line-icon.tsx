type LineIconProps = {
  /** Drawn in a square of 18. */
  path: string;
  width?: number;
};

/** A small sign of lines, in the color of the text beside it; nothing to those who do not see it. */
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
