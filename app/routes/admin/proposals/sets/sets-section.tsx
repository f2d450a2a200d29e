import { useRead } from "#app/features/live/use-read.ts";
import { readSets } from "#app/routes/admin/proposals/proposal-queries.ts";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { RowList } from "#app/routes/admin/shared/row-list.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { NewSetForm } from "./new-set-form.tsx";
import { SetCard } from "./set-card.tsx";

const OPEN = ["draft", "submitted"];

/** Drafts under a name, published as one: now, or at a time while everybody sleeps. */
export function SetsSection() {
  const sets = useRead(["value_sets", "open"], (client) => readSets(client, OPEN));
  return (
    <div className="grid gap-4">
      <NewSetForm />
      <ReadState read={sets} what="Sets">
        {({ sets: open, names }) => (
          <RowList rows={open} empty={<NoSet />} className="grid items-start gap-4 lg:grid-cols-2">
            {(set) => <SetCard key={set.id} {...{ set, names }} />}
          </RowList>
        )}
      </ReadState>
    </div>
  );
}

function NoSet() {
  return (
    <EmptyState title="No set is open" level={3}>
      Name one here; the form of each item then offers to put its values into it.
    </EmptyState>
  );
}
