import { useReadPages } from "#app/features/live/use-read.ts";
import { showFailure } from "#app/features/session/show-failure.ts";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { Button } from "#app/ui/button.tsx";
import { ActEntry } from "./act-entry.tsx";
import { type ActFilter, readActs } from "./act-queries.ts";
import { groupActs } from "./describe-act.ts";

/** The acts that a filter lets through, newest first. */
export function ActList({ filter }: { filter: ActFilter }) {
  const read = useReadPages(
    ["admin_acts", filter],
    (client, before?: number) => readActs(client, filter, before),
    ({ acts, hasMore }) => (hasMore ? acts.at(-1)?.id : undefined),
  );

  async function readOlder() {
    const { error } = await read.fetchNextPage();
    if (error) showFailure(error);
  }

  return (
    <div className="grid gap-4">
      <ReadState read={read} what="Acts">
        {({ pages }) => {
          const acts = pages.flatMap((page) => page.acts);
          const names: Record<string, string> = Object.assign({}, ...pages.map((page) => page.names));
          if (acts.length === 0) return <p className="text-muted">Nothing like this has been done yet.</p>;
          return (
            <ol>
              {groupActs(acts).map((group) => (
                <li key={group.key}>
                  <ActEntry group={group} names={names} />
                </li>
              ))}
            </ol>
          );
        }}
      </ReadState>
      {read.hasNextPage && (
        <Button
          className="justify-self-start"
          disabled={read.isFetchingNextPage}
          onClick={() => void readOlder()}
        >
          Show older
        </Button>
      )}
    </div>
  );
}
