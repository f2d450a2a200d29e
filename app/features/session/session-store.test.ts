import type { Session } from "@supabase/supabase-js";
import { beforeEach, expect, test, vi } from "vitest";

type Store = typeof import("./session-store.ts");
type Listener = (event: { key: string | null; newValue: string | null }) => void;

/** A simulated browser: its storage, its address, and other tabs' writes. */
let listenToTabs: Listener;
let store: Store;

beforeEach(async () => {
  vi.resetModules();
  vi.stubGlobal("addEventListener", (_: string, listener: Listener) => {
    listenToTabs = listener;
  });
  store = await import("./session-store.ts");
});

function look({ stored = {}, hash = "", search = "" }: { stored?: object; hash?: string; search?: string }) {
  vi.stubGlobal("localStorage", stored);
  vi.stubGlobal("location", { hash, search });
  store.lookForSession();
  return store.currentSession();
}

test("the session is unknown before anyone asks", () => {
  expect(store.currentSession()).toEqual({
    status: "unknown",
    isOpened: false,
    session: null,
    isHalf: false,
    isAdmin: false,
    isModerator: false,
    isEditor: false,
  });
});

test.each([
  [{}],
  [{ stored: { theme: "dark", adminFieldConfig: "[]" } }],
  [{ hash: "#main", search: "?q=error" }],
])("%j is a visitor, known at once", (browser) => {
  expect(look(browser)).toMatchObject({ status: "known", isOpened: false, session: null });
});

test.each([
  [{ stored: { "sb-localhost-auth-token": "{}" } }],
  [{ hash: "#access_token=a&type=recovery" }],
  [{ hash: "#error=access_denied&error_code=otp_expired" }],
  [{ search: "?error_description=x" }],
  [{ hash: "#message=Confirmation+link+accepted" }],
])("%j may be signed in: not decided before the client is asked", (browser) => {
  expect(look(browser)).toMatchObject({ status: "unknown", isOpened: true });
});

test("a sign-in in another tab opens the session here; other writes and its removal do not", () => {
  look({});
  listenToTabs({ key: "theme", newValue: "dark" });
  listenToTabs({ key: "sb-localhost-auth-token", newValue: null });
  listenToTabs({ key: null, newValue: null });
  expect(store.currentSession().isOpened).toBe(false);
  listenToTabs({ key: "sb-localhost-auth-token", newValue: "{}" });
  expect(store.currentSession().isOpened).toBe(true);
});

test("listeners are notified of each change until they unsubscribe, with a new object", () => {
  const heard = vi.fn();
  const leave = store.sessionStore.subscribe(heard);
  const before = store.currentSession();
  store.changeSession({ session: {} as Session });
  expect(store.currentSession()).not.toBe(before);
  leave();
  store.changeSession({ session: null });
  expect(heard).toHaveBeenCalledTimes(1);
});
