/** The site's mark: a fruit that is a lantern, its leaf a sail. The same drawing as `public/favicon.svg`. */
export function SiteMark({ size = 36 }: { size?: number }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 48 48" className="shrink-0">
      <path d={MARK.sail} fill="#fff6e3" />
      <path d={MARK.fruit} fill="#ffb02e" />
      <path d={MARK.shade} fill="#e2711d" />
      <path d={MARK.swirl} fill="none" stroke="#7a2e00" strokeWidth="3" strokeLinecap="round" />
      <path d={MARK.stem} fill="none" stroke="#c99a4b" strokeWidth="3" strokeLinecap="round" />
    </svg>
  );
}

const MARK = {
  sail: "M26 3c8 1 13 5 15 11-5 1-10 0-15-2z",
  stem: "M24 17V3",
  fruit: "M24 16c11-3 19 3 19 12 0 10-9 18-19 18S5 38 5 28c0-9 8-15 19-12z",
  shade: "M43 28c0 10-9 18-19 18-6 0-12-3-15.500-7.500C24 42 36 36 38.500 18.500 41.500 20.800 43 24 43 28z",
  swirl: "M31 30a7 7 0 1 0-7 7c6 0 11-4 12-9",
};
