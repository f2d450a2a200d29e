import { DEMANDS, demandStyle } from "#domain/items/demand.ts";
import { spaced } from "#domain/text/words.ts";

export type DemandBadgeProps = { demand: string | null | undefined; className?: string };

/** A demand as tide gauge, word and color; an unknown one looks like medium and keeps its word (4.style.03, .04). */
export function DemandBadge({ demand, className = "" }: DemandBadgeProps) {
  const style = demandStyle(demand);
  const level = DEMANDS.indexOf(style);
  return (
    <span data-slot="demand-badge" className={`badge demand-${style} ${className}`}>
      <svg aria-hidden="true" width="14" height="14" viewBox="0 0 14 14" fill="currentColor">
        {DEMANDS.map((each, step) => (
          <path
            key={each}
            d={`M${1 + step * 3.2} ${9 - step * 2.4}h2.4V13h-2.4z`}
            opacity={step > level ? 0.28 : 1}
          />
        ))}
      </svg>
      <span className="capitalize">{spaced(demand || style)}</span>
    </span>
  );
}
