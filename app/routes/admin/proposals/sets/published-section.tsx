import { useState } from "react";
import { useRead } from "#app/features/live/use-read.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { type Names, readSets, type ValueSet } from "#app/routes/admin/proposals/proposal-queries.ts";
import { ConfirmDialog } from "#app/routes/admin/shared/confirm-dialog.tsx";
import { Moment } from "#app/routes/admin/shared/moment.tsx";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { rollBackSet } from "#app/routes/admin/shared/roll-back-set.ts";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { countOf } from "#domain/text/counts.ts";
import { FoldedValues, SetValues } from "./set-values.tsx";

/** What was published lately, by sets and by single calls, each of which can be undone as one. */
export function PublishedSection() {
  const done = useRead(["value_sets", "published"], (client) => readSets(client, "published"));
  const [asked, setAsked] = useState<ValueSet | null>(null);
  const { isBusy, act } = useAct("value_sets", "value_proposals", "items");

  async function rollBack({ id }: ValueSet) {
    await act(async (client) => {
      const count = await rollBackSet(client, id);
      showToast({ title: `${countOf(count, "value is", "values are")} as before` });
    });
    setAsked(null);
  }

  return (
    <ReadState read={done} what="What was published">
      {({ sets, names }) =>
        sets.length === 0 ? (
          <p className="text-muted">Nothing has been published this way yet.</p>
        ) : (
          <>
            <ul className="grid gap-4" aria-label="Published lately">
              {sets.map((set) => (
                <Published key={set.id} {...{ set, names, isBusy }} onRollBack={setAsked} />
              ))}
            </ul>
            <ConfirmDialog
              open={asked !== null}
              title={asked?.name ? `Take ${asked.name} back?` : "Take this back?"}
              confirm="Take back"
              isBusy={isBusy}
              onConfirm={() => asked && void rollBack(asked)}
              onClose={() => setAsked(null)}
            >
              <p className="pb-3">All of these become what they were, as further changes in the ledger:</p>
              {asked && <SetValues values={asked.value_proposals.filter(isPublished)} />}
            </ConfirmDialog>
          </>
        )
      }
    </ReadState>
  );
}

const isPublished = ({ state }: { state: string }) => state === "published" || state === "rolled_back";

type PublishedProps = { set: ValueSet; names: Names; isBusy: boolean; onRollBack(set: ValueSet): void };

function Published({ set, names, isBusy, onRollBack }: PublishedProps) {
  const { isAdmin, session } = useSession();
  const { name, state, published_at, published_by } = set;
  const isOwn = published_by === session?.user.id;
  const values = set.value_proposals.filter(isPublished);
  const isApproved = values.some(({ why }) => why !== null);
  return (
    <li className="grid gap-2">
      <p className="flex flex-wrap items-center gap-2">
        {name && <strong>{name}</strong>}
        <span className="text-muted text-sm">
          {published_at && <Moment at={published_at} />}, by {names.get(published_by ?? "") ?? "the server"}
        </span>
        {state === "rolled_back" && <Badge>Taken back</Badge>}
      </p>
      <FoldedValues values={values} />
      {state === "published" && (isAdmin || (isOwn && !isApproved)) && (
        <div>
          <Button size="sm" disabled={isBusy} onClick={() => onRollBack(set)}>
            Take back{name ? ` ${name}` : ""}
          </Button>
        </div>
      )}
    </li>
  );
}
