import { Button } from "#app/ui/button.tsx";
import { ReadState } from "../admin/read-state.tsx";
import { ActEntry } from "./act-entry.tsx";
import type { ActFilter } from "./act-queries.ts";
import { groupActs } from "./describe-act.ts";
import { useActs } from "./use-acts.ts";

/** The acts that a filter lets through, newest first. */
export function ActList({ filter }: { filter: ActFilter }) {
  const { first, acts, names, hasMore, isBusy, readOlder } = useActs(filter);
  return (
    <div className="grid gap-4">
      <ReadState read={first} what="Acts">
        {() =>
          acts.length === 0 ? (
            <p className="text-muted">Nothing of this kind was done yet.</p>
          ) : (
            <ol>
              {groupActs(acts).map((group) => (
                <li key={group.key}>
                  <ActEntry group={group} names={names} />
                </li>
              ))}
            </ol>
          )
        }
      </ReadState>
      {hasMore && (
        <Button className="justify-self-start" disabled={isBusy} onClick={() => void readOlder()}>
          Show older
        </Button>
      )}
    </div>
  );
}
