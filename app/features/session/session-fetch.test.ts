import { createClient } from "@supabase/supabase-js";
import { afterEach, expect, test, vi } from "vitest";
import { createSessionFetch } from "./session-fetch.ts";
import { describeFailure, isUnanswered } from "./show-failure.ts";

afterEach(() => {
  vi.useRealTimers();
});

const HOUR = 3_600;

/** An auth service with the right time, a browser whose clock is `ahead` seconds fast, and the requests made. */
function openBrowser(
  ahead: number,
  refuse?: () => Response | null,
  instead: (url: string) => Response | null = () => null,
) {
  let refreshes = 0;
  const serviceNow = () => Math.round(Date.now() / 1_000) - ahead;
  const send: typeof fetch = async (input) => {
    const url = String(input);
    const other = instead(url);
    if (other) return other;
    if (!url.includes("/token")) return Response.json([]);
    const isRefresh = url.includes("refresh_token");
    if (isRefresh) refreshes += 1;
    const refusal = isRefresh && refuse?.();
    if (refusal) return refusal;
    const token = { access_token: `a.b.c${refreshes}`, refresh_token: `r${refreshes}`, token_type: "bearer" };
    const user = { id: "ana", email: "ana@example.org" };
    return Response.json({ ...token, user, expires_in: HOUR, expires_at: serviceNow() + HOUR });
  };
  const steady = createSessionFetch({ send, onRefused: () => {} });
  const auth = { autoRefreshToken: false, persistSession: false };
  const client = createClient("http://backend.test", "key", { auth, global: { fetch: steady } });
  return { client, refreshes: () => refreshes };
}

test.each([2 * HOUR, -2 * HOUR, 0])(
  "a clock %i seconds fast refreshes once an hour, not on every request",
  async (ahead) => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { client, refreshes } = openBrowser(ahead);
    await client.auth.signInWithPassword({ email: "ana@example.org", password: "x" });
    for (let i = 0; i < 20; i++) await client.from("items").select();
    expect(refreshes()).toBe(0);
    vi.setSystemTime(Date.now() + (HOUR - 30) * 1_000);
    for (let i = 0; i < 20; i++) await client.from("items").select();
    expect(refreshes()).toBe(1);
  },
);

test("too many requests mean waiting, not the end of the session", async () => {
  vi.useFakeTimers({ toFake: ["Date", "performance", "setTimeout"] });
  let isBusy = true;
  const tooMany = { status: 429, headers: { "retry-after": "60" } };
  const { client, refreshes } = openBrowser(0, () =>
    isBusy ? Response.json({ code: "over_request_rate_limit", message: "Too many" }, tooMany) : null,
  );
  await client.auth.signInWithPassword({ email: "ana@example.org", password: "x" });
  const ended = vi.fn();
  client.auth.onAuthStateChange((event) => event === "SIGNED_OUT" && ended());
  vi.setSystemTime(Date.now() + 2 * HOUR * 1_000);
  const asked = client.auth.getSession();
  await vi.advanceTimersByTimeAsync(40_000);
  expect((await asked).error?.name).toBe("AuthRetryableFetchError");
  // The client tries several times; the service received one request.
  expect(refreshes()).toBe(1);
  expect(ended).not.toHaveBeenCalled();
  isBusy = false;
  await vi.advanceTimersByTimeAsync(61_000);
  expect((await client.auth.getSession()).data.session?.refresh_token).toBe("r2");
});

test.each([502, 503, 504])(
  "a proxy's page with status %i is no answer, and its text no message",
  async (status) => {
    const page = () => new Response("<html><h1>Bad Gateway</h1></html>", { status });
    const steady = createSessionFetch({ send: async () => page(), onRefused: () => {} });
    const client = createClient("http://backend.test", "key", { global: { fetch: steady } });
    const { error } = await client.rpc("answer_rating");
    expect(isUnanswered(error ?? { message: "" })).toBe(true);
    expect(describeFailure(error ?? { message: "" })).toContain("can't be reached right now");
  },
);

test.each([200, 403, 511])(
  "a page that a network answers with status %i is neither a message nor success",
  async (status) => {
    const headers = { "content-type": "text/html; charset=utf-8" };
    const page = () => new Response("<html><h1>Log in to this Wi-Fi</h1></html>", { status, headers });
    const { client } = openBrowser(0, undefined, (url) => (url.includes("/token") ? null : page()));
    await client.auth.signInWithPassword({ email: "ana@example.org", password: "x" });
    const left = await client.auth.signOut({ scope: "global" });
    for (const { error } of [left, await client.from("profiles").update({ username: "x" }).eq("id", 1)]) {
      expect(isUnanswered(error ?? { message: "" })).toBe(true);
      expect(describeFailure(error ?? { message: "" })).toContain("can't be reached right now");
    }
  },
);

test("a service's own words with status 503 are its message", async () => {
  const refusal = () =>
    Response.json({ code: "PT503", message: "This site sends no email" }, { status: 503 });
  const steady = createSessionFetch({ send: async () => refusal(), onRefused: () => {} });
  const client = createClient("http://backend.test", "key", { global: { fetch: steady } });
  const { error } = await client.rpc("ask_parent");
  expect(describeFailure(error ?? { message: "" })).toBe("This site sends no email");
});
