import { Link } from "react-router";
import { describeReason, describeRole } from "#app/features/items/change-reason.ts";
import { ChangeText } from "#app/features/items/change-text.tsx";
import { EvidenceLink } from "#app/features/items/evidence-link.tsx";
import { FigureText } from "#app/features/items/figure-text.tsx";
import { ItemImage } from "#app/features/items/item-image.tsx";
import { formatDate } from "#domain/text/dates.ts";
import { anchorOf, describePart, describeSide, moveOf, NO_REASON, pathOf } from "./describe-change.ts";
import type { ShownChange } from "./read-changes.ts";

/** Changes grouped by day (UTC). */
export function ChangeList({ changes }: { changes: readonly ShownChange[] }) {
  return groupByDay(changes).map(({ day, made }) => (
    <section key={day} aria-labelledby={`day-${day}`} className="changes-day">
      <h2 id={`day-${day}`}>
        <time dateTime={day}>{formatDate(day)}</time>
      </h2>
      <ul>
        {made.map((change) => (
          <ChangeLine key={anchorOf(change)} change={change} />
        ))}
      </ul>
    </section>
  ));
}

function ChangeLine({ change }: { change: ShownChange }) {
  const { kind, item, old_value, new_value, evidence_url, picture } = change;
  const part = describePart(change);
  const move = moveOf(change);
  const role = describeRole(change);
  return (
    <li id={anchorOf(change)} className="changes-line">
      <ItemImage src={item.image_url} size={40} className="size-10 [grid-area:picture]" />
      <p className="changes-name">
        <Link to={pathOf(change)} className="link">
          {item.name}
        </Link>
        {part && <span className="ml-2 font-normal text-muted text-sm">{part}</span>}
      </p>
      <p className="changes-figures figures">
        {kind === "value" && old_value === null ? (
          <>
            <span className="text-muted">First value</span>{" "}
            <FigureText text={describeSide(change, new_value)} />
          </>
        ) : (
          <>
            <span className="sr-only">from </span>
            <FigureText text={describeSide(change, old_value)} /> <span aria-hidden="true">→</span>
            <span className="sr-only">to </span>{" "}
            <strong>{<FigureText text={describeSide(change, new_value)} />}</strong>{" "}
            {move && <ChangeText {...move} />}
          </>
        )}
      </p>
      <p className="changes-reason">
        {describeReason(change) ?? NO_REASON}{" "}
        <EvidenceLink href={evidence_url} picture={picture} item={item.name} />
        {role && <small className="block text-[0.8125rem]">{role}</small>}
      </p>
    </li>
  );
}

function groupByDay(changes: readonly ShownChange[]): { day: string; made: ShownChange[] }[] {
  const days: { day: string; made: ShownChange[] }[] = [];
  for (const change of changes) {
    const day = change.changed_at.slice(0, 10);
    if (days.at(-1)?.day === day) days.at(-1)?.made.push(change);
    else days.push({ day, made: [change] });
  }
  return days;
}
