import { useEffect, useRef, useState } from "react";
import { checkItem } from "#app/routes/admin/items/admin-item-queries.ts";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { skipItem, takeBackSkip, type Work } from "./work-queries.ts";

/**
 * The item to review, and the actions on it. It stays until this editor is done with it, whatever others do: a key must
 * not hit an item that replaced it.
 */
export function useWork(list: readonly Work[]) {
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
    right: ({ item }: Work) => say((client) => checkItem(client, item.id), `${item.name} is still right`),
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
      if (!(await act((client) => takeBackSkip(client, work.item_id)))) return;
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
