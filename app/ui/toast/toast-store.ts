import { createStore } from "#app/ui/store.ts";

/** `success`: it worked. `destructive`: it did not, or something is missing (8.error.01). */
export type ToastVariant = "success" | "destructive";

export type Toast = { id: number; title: string; description?: string; variant: ToastVariant };

export const toastStore = createStore<Toast | null>(null);
let lastId = 0;

/** Shows a notice in place of any earlier one (clause 9.toast.01): `showToast({ title: "Trade saved" })`. */
export function showToast(toast: Omit<Toast, "id" | "variant"> & { variant?: ToastVariant }): void {
  lastId += 1;
  toastStore.set({ variant: "success", ...toast, id: lastId });
}

/** Shows a failure, as a sentence. */
export function showError(description: string): void {
  showToast({ title: "Error", description, variant: "destructive" });
}

/** Dismisses the notice; with an id, only if it is still shown. */
export function dismissToast(id?: number): void {
  if (id === undefined || toastStore.current()?.id === id) toastStore.set(null);
}

/** Dismisses the failure of the last attempt when a new one starts. */
export function dismissFailure(): void {
  if (toastStore.current()?.variant === "destructive") toastStore.set(null);
}

/** How long a notice stays, in milliseconds: at least 6 s, and 80 ms per character for slow readers. */
export function readingTime(toast: Pick<Toast, "title" | "description">): number {
  return Math.max(6000, 2500 + 80 * (toast.title.length + (toast.description?.length ?? 0)));
}

const PRESSABLE = "button, a[href], input, select, textarea, summary";

let pressed: Element | null = null;

/** The element pressed last, by pointer or key, since focus may have moved by the time a notice appears. */
export function lastPressed(): Element | null {
  return pressed;
}

/** Remembers presses anywhere outside the notices' host, until the returned function is called. */
export function rememberPressed(host: Element | null): () => void {
  const remember = ({ target }: Event) => {
    const element = target as Element;
    if (!host?.contains(element)) pressed = element.closest(PRESSABLE);
  };
  addEventListener("click", remember, true);
  return () => removeEventListener("click", remember, true);
}
