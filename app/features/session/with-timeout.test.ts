import { createClient } from "@supabase/supabase-js";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isUnanswered } from "./show-failure.ts";
import { withTimeout } from "./with-timeout.ts";

type Sent = { body: unknown; isAborted: boolean };

/** The requests that a service got, which never answers. */
let sent: Sent[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  vi.stubGlobal("fetch", (_: unknown, { body, signal }: RequestInit) => {
    const request: Sent = { body, isAborted: false };
    sent.push(request);
    return new Promise((_resolve, reject) => {
      const abort = () => {
        request.isAborted = true;
        reject(signal?.reason);
      };
      if (signal?.aborted) abort();
      signal?.addEventListener("abort", abort);
    });
  });
});

afterEach(() => {
  vi.useRealTimers();
});

const patient: typeof fetch = (...request) => withTimeout(fetch)(...request);
const client = createClient("http://site.example", "key", { global: { fetch: patient } });
const image = new Blob([new Uint8Array(400_000)]);

test.each([
  ["a read", () => client.from("items").select()],
  ["a write", () => client.from("items").insert({ name: "Kitsune" })],
  ["a call", () => client.rpc("list_items")],
  ["a sign-in", () => client.auth.signInWithPassword({ email: "a@example.com", password: "b" })],
  ["a list of files", () => client.storage.from("avatars").list()],
])("%s that nobody answers fails after 20 seconds, once, as unreachable", async (_what, ask) => {
  vi.spyOn(console, "error").mockReturnValue();
  const asked = Promise.resolve(ask());
  await vi.advanceTimersByTimeAsync(19_900);
  expect(sent).toMatchObject([{ isAborted: false }]);
  await vi.advanceTimersByTimeAsync(200);
  const { error } = await asked;
  expect(sent).toMatchObject([{ isAborted: true }]);
  expect(error && isUnanswered(error)).toBe(true);
});

test("a large file has longer, as slow connections need", async () => {
  const asked = client.storage.from("avatars").upload("own", image);
  await vi.advanceTimersByTimeAsync(119_000);
  expect(sent).toMatchObject([{ isAborted: false }]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(sent).toMatchObject([{ isAborted: true }]);
  expect((await asked).error && isUnanswered((await asked).error as Error)).toBe(true);
});

test("what the caller gives up ends at once, with the caller's reason", async () => {
  const late = new AbortController();
  const asked = patient("http://site.example", { signal: late.signal });
  late.abort("left");
  await expect(asked).rejects.toBe("left");
  await expect(patient("http://site.example", { signal: late.signal })).rejects.toBe("left");
});

test("a response that has begun is not cut off", async () => {
  let signal: AbortSignal | null | undefined;
  vi.stubGlobal("fetch", async (_: unknown, init: RequestInit) => {
    signal = init.signal;
    return new Response("begun");
  });
  const response = await patient("http://site.example");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(signal?.aborted).toBe(false);
  expect(await response.text()).toBe("begun");
});
