import { createStore } from "#app/ui/store.ts";

/** `success`: it worked. `destructive`: it did not, or something is missing (8.error.01). */
export type ToastVariant = "success" | "destructive";

export type Toast = { id: number; title: string; description?: string; variant: ToastVariant };

/** The notice that stands. */
export const toastStore = createStore<Toast | null>(null);
let lastId = 0;

/**
 * Shows a notice in place of any earlier one (clause 9.toast.01): `showToast({ title: "Trade saved" })`.
 */
export function showToast(toast: Omit<Toast, "id" | "variant"> & { variant?: ToastVariant }): void {
  lastId += 1;
  toastStore.set({ variant: "success", ...toast, id: lastId });
}

/** Shows what did not work, as a sentence. */
export function showError(description: string): void {
  showToast({ title: "Error", description, variant: "destructive" });
}

/** Takes the notice away; with an id only if that one still stands. */
export function dismissToast(id?: number): void {
  if (id === undefined || toastStore.current()?.id === id) toastStore.set(null);
}

/** Takes away what was wrong with the last try, when something is tried anew. */
export function dismissFailure(): void {
  if (toastStore.current()?.variant === "destructive") toastStore.set(null);
}

/** How long a notice stands, in milliseconds: at least 6 s, and 80 ms a character for slow readers. */
export function readingTime(toast: Pick<Toast, "title" | "description">): number {
  return Math.max(6000, 2500 + 80 * (toast.title.length + (toast.description?.length ?? 0)));
}

const PRESSABLE = "button, a[href], input, select, textarea, summary";

let pressed: Element | null = null;

/** What was pressed last, by pointer or key, since focus has moved on by the time that a notice comes. */
export function lastPressed(): Element | null {
  return pressed;
}

/** Remembers what is pressed anywhere but in the host of notices, until the function that it answers with is called. */
export function rememberPressed(host: Element | null): () => void {
  const remember = ({ target }: Event) => {
    const element = target as Element;
    if (!host?.contains(element)) pressed = element.closest(PRESSABLE);
  };
  addEventListener("click", remember, true);
  return () => removeEventListener("click", remember, true);
}
