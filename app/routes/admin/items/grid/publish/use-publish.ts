import { useState } from "react";
import { useRefresh } from "#app/features/live/use-read.ts";
import { rollBackSet } from "#app/routes/admin/shared/roll-back-set.ts";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { countOf } from "#domain/text/counts.ts";
import { settle } from "../model/edits.ts";
import type { Grid } from "../use-grid.ts";
import { type PublishResult, type ReadyCell, readyCells } from "./publish-cells.ts";

/** Publishes unsaved cells, and undoes the last publishing. */
export function usePublish(grid: Grid) {
  const [asked, setAsked] = useState<readonly ReadyCell[] | null>(null);
  const [last, setLast] = useState<PublishResult["set"]>(null);
  const refresh = useRefresh();
  const { isBusy, act } = useAct("items");
  const { draft, cells } = grid;

  function ask(): void {
    const ready = readyCells(draft.draft.edits, draft.stored);
    if (ready.length > 0) setAsked(ready);
    else cells.say("There is nothing to publish");
  }

  async function finish({ results, waiting, set }: PublishResult): Promise<void> {
    // Refetched before the edits are removed, so that no cell shows its old value for a moment.
    await refresh("items", "value_proposals");
    draft.change((now) => settle(now, results));
    setAsked(null);
    grid.wantsFocus.current = true;
    const left = results.filter(([, , outcome]) => outcome !== null).length;
    const published = results.length - left - waiting;
    setLast(set);
    showToast(tell(published, waiting, left));
  }

  async function takeBack(): Promise<void> {
    if (!last) return;
    const isDone = await act(async (client) => {
      const count = await rollBackSet(client, last.id);
      showToast({ title: "Taken back", description: `${countOf(count, "cell")} as before.` });
    });
    if (isDone) setLast(null);
  }

  return { asked, ask, close: () => setAsked(null), settle: finish, last, takeBack, isBusy };
}

export type Publish = ReturnType<typeof usePublish>;

function tell(published: number, waiting: number, left: number) {
  const parts = [
    ...(waiting > 0
      ? [`${countOf(waiting, "cell")} ${waiting === 1 ? "waits" : "wait"} for a second person.`]
      : []),
    ...(left > 0 ? [`${countOf(left, "cell")} not published: they stay marked in the grid.`] : []),
  ];
  return {
    title: published > 0 ? `${countOf(published, "cell")} published` : "Nothing published yet",
    ...(parts.length > 0 ? { description: parts.join(" ") } : {}),
    ...(left > 0 ? { variant: "destructive" as const } : {}),
  };
}
