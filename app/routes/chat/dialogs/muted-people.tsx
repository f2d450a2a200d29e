import { Button } from "#app/ui/button.tsx";
import { formatDate } from "#domain/text/dates.ts";
import type { Muting } from "./use-mutes.ts";

/** Whom one muted, each to be heard again. */
export function MutedPeople({ mutes: { list, unmute } }: { mutes: Muting }) {
  if (list.length === 0) return <p className="text-muted">You have muted nobody.</p>;
  return (
    <ul className="grid gap-2">
      {list.map((mute) => {
        const name = mute.username ?? "A hidden trader";
        return (
          <li key={mute.userId} className="flex flex-wrap items-center justify-between gap-3">
            <span>
              <span className="font-semibold">{name}</span>{" "}
              <span className="text-muted text-sm">since {formatDate(mute.since)}</span>
            </span>
            <Button size="sm" aria-label={`Unmute ${name}`} onClick={() => unmute(mute)}>
              Unmute
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
