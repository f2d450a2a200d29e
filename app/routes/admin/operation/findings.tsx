import { Badge } from "#app/ui/badge.tsx";
import type { Finding } from "#domain/operation/operation-report.ts";

/** Problems, grave ones first; each says what to do and where it is documented. */
export function Findings({ findings }: { findings: readonly Finding[] }) {
  if (findings.length === 0) return <p>No problems found: everything responds, and the setup is sound.</p>;
  return (
    <ul className="grid gap-4" aria-label="Problems">
      {findings.map(({ id, isGrave, title, todo, heading }) => (
        <li key={id} className="grid justify-items-start gap-1 break-words">
          <Badge tone={isGrave ? "fall" : "neutral"}>{isGrave ? "Fix soon" : "Consider"}</Badge>
          <h3 className="font-semibold">{title}</h3>
          <p>{todo}</p>
          <p className="text-muted text-sm">{`In docs/operations.md: ${heading}`}</p>
        </li>
      ))}
    </ul>
  );
}
