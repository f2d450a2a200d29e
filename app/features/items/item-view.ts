import { useSyncExternalStore } from "react";
import { readKept, writeKept } from "#app/features/browser-storage/kept.ts";
import { afterPaint } from "#app/ui/after-paint.ts";

/** How /values lays out items: as rows or as cards. */
export const ITEM_VIEWS = ["list", "cards"] as const;
export type ItemView = (typeof ITEM_VIEWS)[number];

/** Without a choice, narrower screens show the list; matches the variant `rows` of app.css. */
const LIST_BELOW = "(width < 40rem)";

const listeners = new Set<() => void>();
let latest: ItemView | null = null;

/** The current view; null until hydration, when only the screen width decides. */
export function useItemView(): [ItemView | null, (view: ItemView) => void] {
  return [useSyncExternalStore(subscribe, currentView, () => null), chooseView];
}

function currentView(): ItemView {
  const chosen = latest ?? document.documentElement.dataset.items ?? readKept("itemView");
  const isNarrow = matchMedia(LIST_BELOW).matches;
  return ITEM_VIEWS.find((view) => view === chosen) ?? (isNarrow ? "list" : "cards");
}

/** Switching is done in CSS; no item re-renders. */
function chooseView(view: ItemView): void {
  latest = view;
  writeKept("itemView", view);
  for (const listener of listeners) listener();
  afterPaint(() => {
    document.documentElement.dataset.items = view;
  });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  const screen = matchMedia(LIST_BELOW);
  screen.addEventListener("change", listener);
  return () => {
    listeners.delete(listener);
    screen.removeEventListener("change", listener);
  };
}
