import { formatCount, formatStars } from "#domain/people/rating.ts";

/** How many gave five stars, four, and so on: a bar each, with its number. */
export function StarChart({ stars }: { stars: readonly number[] }) {
  const most = Math.max(1, ...stars);
  return (
    <ul className="star-chart figures" aria-label="Ratings by stars">
      {stars
        .map((count, index) => (
          <li key={formatStars(index + 1)}>
            <span className="star-chart-label">{formatStars(index + 1)}</span>
            <svg aria-hidden="true" width="100%" height="12">
              <rect width="100%" height="12" rx="6" className="star-chart-ground" />
              {count > 0 && <rect width={`${Math.max(2, (count / most) * 100)}%`} height="12" rx="6" />}
            </svg>
            <span>
              {count.toLocaleString("en-US")}
              <span className="sr-only"> of {formatCount(count).replace(/^\S+ /, "")}</span>
            </span>
          </li>
        ))
        .reverse()}
    </ul>
  );
}
