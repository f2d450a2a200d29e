import { Link } from "react-router";
import { ItemImage } from "#app/features/items/item-image.tsx";
import type { BoardRow } from "./market-board.ts";
import "./lantern-rope.css";

/** The most valuable items, hung as lanterns on a rope across the harbour; fewer on a narrow screen. */
export function LanternRope({ rows }: { rows: readonly BoardRow[] }) {
  return (
    <nav aria-label="Most valuable items" className="rope-line">
      <svg aria-hidden="true" viewBox="0 0 100 20" preserveAspectRatio="none">
        <path d="M0 0Q50 40 100 0" vectorEffect="non-scaling-stroke" />
        <path d="M0 0Q50 40 100 0" vectorEffect="non-scaling-stroke" />
      </svg>
      <ul>
        {rows.map((row) => (
          <li key={row.slug}>
            <Link to={`/fruits/${row.slug}`} prefetch="intent">
              <ItemImage src={row.image} size={72} eager className="lantern" />
              <span className="lantern-tag">
                <span className="lantern-name">{row.name}</span>
                <span className="figures lantern-value">{row.value}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
