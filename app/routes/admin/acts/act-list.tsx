import { useReadPages } from "#app/features/live/use-read.ts";
import { showFailure } from "#app/features/session/show-failure.ts";
import { Moment } from "#app/routes/admin/shared/moment.tsx";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { Button } from "#app/ui/button.tsx";
import { type Act, type ActFilter, readActs } from "./act-queries.ts";
import {
  type ActGroup,
  describeAct,
  describeGroup,
  groupActs,
  listChanges,
  nameAdmin,
} from "./describe-act.ts";

/** The actions that match a filter, newest first. */
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

type ActEntryProps = { group: ActGroup; names: Record<string, string> };

/** One entry of the list: who did what and when; expanded, what changed. */
function ActEntry({ group, names }: ActEntryProps) {
  const [first] = group.acts;
  const sentence = (
    <span className="flex-1 wrap-anywhere">
      <span className="font-semibold">{nameAdmin(first, names)}</span>{" "}
      <span className="font-normal">{describeGroup(group, names)}</span>
      <span className="block font-normal text-muted text-sm">
        <Moment at={first.at} />
      </span>
    </span>
  );
  const isEmpty = group.acts.length === 1 && listChanges(first).length === 0;
  if (isEmpty) return <div className="border-line border-b py-3">{sentence}</div>;
  return (
    <details className="disclosure">
      <summary>{sentence}</summary>
      <div className="grid gap-4">
        {group.acts.map((act) => (
          <div key={act.id}>
            {group.acts.length > 1 && <p className="font-semibold">{describeAct(act, names)}</p>}
            <Changes act={act} />
          </div>
        ))}
      </div>
    </details>
  );
}

function Changes({ act }: { act: Act }) {
  return (
    <dl className="grid gap-1 text-sm wrap-anywhere">
      {listChanges(act).map(({ column, before, after }) => (
        <div key={column} className="grid gap-x-3 sm:grid-cols-[12rem_1fr]">
          <dt>{column}</dt>
          <dd className="text-ink">
            {before !== null && <del className="text-fall">{before}</del>}
            {before !== null && after !== null && " → "}
            {after !== null && <ins className="text-rise no-underline">{after}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
