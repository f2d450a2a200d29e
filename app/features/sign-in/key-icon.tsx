/** An icon for passkeys and security keys. */
export function KeyIcon() {
  return (
    <svg
      aria-hidden="true"
      width="20"
      height="20"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <circle cx="6.500" cy="10" r="4" />
      <path d="M10.500 10H18v3.500M14.500 10v2.500" />
    </svg>
  );
}
