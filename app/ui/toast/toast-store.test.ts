import { afterEach, expect, it } from "vitest";
import { currentToast, dismissToast, readingTime, showToast, subscribeToToast } from "./toast-store.ts";

afterEach(() => dismissToast());

it("does not let an earlier notice's end take the later one away", () => {
  showToast({ title: "First" });
  const first = currentToast()?.id;
  showToast({ title: "Second" });
  dismissToast(first);
  expect(currentToast()?.title).toBe("Second");
});

it("shows only the last of several, and tells its listeners each time", () => {
  const seen: (string | undefined)[] = [];
  const stop = subscribeToToast(() => seen.push(currentToast()?.title));
  for (const title of ["One", "Two", "Three"]) showToast({ title, variant: "destructive" });
  dismissToast();
  stop();
  showToast({ title: "Unheard" });
  expect(seen).toEqual(["One", "Two", "Three", undefined]);
});

it("stands at least six seconds, and longer for a longer text", () => {
  expect(readingTime({ title: "Error" })).toBe(6000);
  expect(readingTime({ title: "Error", description: "x".repeat(200) })).toBeGreaterThan(15_000);
});
