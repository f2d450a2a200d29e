import "#app/routes/admin/shared/desk.css";
import "./work.css";
import { useEffect, useRef, useState } from "react";
import { useRead } from "#app/features/live/use-read.ts";
import { confirmValue } from "#app/routes/admin/items/values/publish-values.ts";
import { ValueForm } from "#app/routes/admin/items/values/value-form.tsx";
import { DeskButton } from "#app/routes/admin/shared/desk-button.tsx";
import { pressDeskKey } from "#app/routes/admin/shared/desk-keys.ts";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ignoreSecondClick } from "#app/ui/form/use-focus-fallback.ts";
import { SectionCard } from "#app/ui/section-card.tsx";
import { countOf } from "#domain/text/counts.ts";
import { WorkCard } from "./work-card.tsx";
import { type EditorDay, readDays, readWork, skipItem, type Work } from "./work-queries.ts";

/** What to review first, one item at a time, and each editor's day in numbers (P140, P141). */
export default function WorkPanel() {
  const work = useRead(["work_skips", "work"], readWork);
  return (
    <div className="grid grid-cols-1 gap-5">
      <SectionCard title="What to Look at First">
        <ReadState read={work} what="The work list">
          {(list) => <WorkDesk list={list} />}
        </ReadState>
      </SectionCard>
      <SectionCard title="Today">
        <ReadState read={useRead(["work_skips", "days"], readDays)} what="Today's numbers">
          {(days) => <Days days={days} />}
        </ReadState>
      </SectionCard>
    </div>
  );
}

function WorkDesk({ list }: { list: readonly Work[] }) {
  const work = useWork(list);
  const { shown, skipped, isBusy, isChanging } = work;
  const due = list[0]?.due ?? 0;
  return (
    <section
      aria-label="Work list"
      className="grid gap-4"
      onKeyDown={pressDeskKey}
      onClickCapture={ignoreSecondClick}
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p role="status">{countOf(due, "item is due", "items are due")}</p>
        {skipped && (
          <DeskButton
            press="u"
            size="sm"
            disabled={isBusy || isChanging}
            onClick={() => void work.takeBack(skipped)}
          >
            {`Back to ${skipped.item.name}`}
          </DeskButton>
        )}
      </div>
      <p className="desk-hint">
        While the focus is on the item: <kbd>1</kbd> still right, <kbd>2</kbd> change, <kbd>3</kbd> skip for a
        day, <kbd>u</kbd> back to what was skipped
      </p>
      {!shown ? (
        <EmptyState title="Everything has been checked in the last day" level={3}>
          Items appear here again as their checks grow old.
        </EmptyState>
      ) : isChanging ? (
        <ValueForm key={shown.item_id} item={shown.item} focus="current_value" onDone={work.changed} />
      ) : (
        <WorkCard
          key={shown.item_id}
          ref={work.cardRef}
          work={shown}
          isDone={work.isDone}
          isBusy={isBusy}
          onRight={() => void work.right(shown)}
          onChange={work.change}
          onSkip={() => void work.skip(shown)}
        />
      )}
    </section>
  );
}

/** The reader's own day first. */
function Days({ days }: { days: readonly EditorDay[] }) {
  return (
    <table className="work-days">
      <thead>
        <tr>
          <th scope="col">Editor</th>
          <th scope="col">Checked</th>
          <th scope="col">Changed</th>
          <th scope="col">Skipped</th>
        </tr>
      </thead>
      <tbody className="figures">
        {days.map(({ editor_id, username, checked, changed, skipped }, index) => (
          <tr key={editor_id}>
            <th scope="row">{index === 0 ? "You" : username}</th>
            <td>{checked}</td>
            <td>{changed}</td>
            <td>{skipped}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The item to review. It stays until this editor is done with it: a key must not hit one that replaced it. */
function useWork(list: readonly Work[]) {
  const { isBusy, act } = useAct("items", "work_skips");
  const [pinned, setPinned] = useState<Work | null>(null);
  const [isChanging, setChanging] = useState(false);
  const [skipped, setSkipped] = useState<Work | null>(null);
  const fresh = list.find(({ item_id }) => item_id === pinned?.item_id);
  const shown = fresh ?? pinned ?? list[0] ?? null;
  if (shown !== pinned) setPinned(shown);
  const card = useFocusedCard();

  async function say(...doing: Parameters<typeof act>): Promise<boolean> {
    const isDone = await act(...doing);
    if (isDone) setPinned(null);
    card.focus();
    return isDone;
  }

  return {
    shown,
    isDone: shown !== null && !fresh && !isBusy,
    isBusy,
    isChanging,
    skipped,
    cardRef: card.ref,
    right: ({ item }: Work) => say((client) => confirmValue(client, item), `${item.name} is still right`),
    change: () => setChanging(true),
    changed() {
      setChanging(false);
      setPinned(null);
      card.focus();
    },
    async skip(work: Work) {
      if (await say((client) => skipItem(client, work.item_id))) setSkipped(work);
    },
    async takeBack(work: Work) {
      const { item_id } = work;
      if (!(await act((client) => client.from("work_skips").delete().match({ item_id }).throwOnError())))
        return;
      setPinned(work);
      setSkipped(null);
      card.focus();
    },
  };
}

/** Focuses the card after each action, once it is rendered, so that the next key works. */
function useFocusedCard() {
  const ref = useRef<HTMLElement>(null);
  const [acts, setActs] = useState(0);
  useEffect(() => {
    if (acts > 0) ref.current?.focus();
  }, [acts]);
  return { ref, focus: () => setActs((count) => count + 1) };
}
