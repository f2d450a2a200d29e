import { afterEach, expect, it } from "vitest";
import { dismissToast, readingTime, showToast, toastStore } from "./toast-store.ts";

afterEach(() => dismissToast());

it("the end of an earlier notice does not dismiss a later one", () => {
  showToast({ title: "First" });
  const first = toastStore.current()?.id;
  showToast({ title: "Second" });
  dismissToast(first);
  expect(toastStore.current()?.title).toBe("Second");
});

it("shows only the last of several, and notifies listeners each time", () => {
  const seen: (string | undefined)[] = [];
  const stop = toastStore.subscribe(() => seen.push(toastStore.current()?.title));
  for (const title of ["One", "Two", "Three"]) showToast({ title, variant: "destructive" });
  dismissToast();
  stop();
  showToast({ title: "Unheard" });
  expect(seen).toEqual(["One", "Two", "Three", undefined]);
});

it("a notice stays for at least six seconds, and longer for longer text", () => {
  expect(readingTime({ title: "Error" })).toBe(6000);
  expect(readingTime({ title: "Error", description: "x".repeat(200) })).toBeGreaterThan(15_000);
});
