const STEP = 24;

/**
 * Stars filled up to a number from 0 to 5; the number also stands beside them as text. A bar behind a star-shaped mask,
 * since a page can have a hundred of these.
 */
export function Stars({ value, size = 20 }: { value: number; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${5 * STEP} ${STEP}`}
      width={size * 5}
      height={size}
      className="stars"
      preserveAspectRatio="none"
    >
      <rect width={5 * STEP} height={STEP} className="stars-empty fill-line" />
      <rect width={Math.round(value * STEP * 10) / 10} height={STEP} />
    </svg>
  );
}

/** A single star, for use in a control. */
export function Star() {
  return (
    <svg aria-hidden="true" viewBox="0 0 24 24" width="36" height="36">
      <path d="M12 2.500l2.900 6.100 6.600.9-4.800 4.600 1.200 6.600L12 17.500l-5.900 3.200 1.200-6.600-4.800-4.600 6.600-.9z" />
    </svg>
  );
}
