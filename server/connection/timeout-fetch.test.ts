import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createTimeoutFetch } from "./timeout-fetch.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const hanging = () => new Promise<Response>(() => {});
const reason = (read: Promise<Response>) =>
  read.then(
    () => "answered",
    (error: Error) => error.message,
  );

test("a read of a backend that hangs is given up within five seconds, and those behind it at once", async () => {
  const read = createTimeoutFetch(hanging);
  const first = reason(read("http://backend"));
  await vi.advanceTimersByTimeAsync(4_500);
  expect(await first).toBe("The backend did not answer in time");
  expect(await reason(read("http://backend"))).toBe("The backend hangs");
});

test("a backend that comes back is asked again a second later", async () => {
  const answer = vi.fn<typeof fetch>(hanging);
  const read = createTimeoutFetch(answer);
  const first = reason(read("http://backend"));
  await vi.advanceTimersByTimeAsync(4_000);
  await first;
  answer.mockImplementation(async () => new Response("[]"));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await reason(read("http://backend"))).toBe("answered");
});

test("one slow read delays no other", async () => {
  const answer = vi.fn<typeof fetch>(hanging);
  const read = createTimeoutFetch(answer);
  const slow = reason(read("http://backend/slow"));
  answer.mockImplementation(async () => new Response("[]"));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await reason(read("http://backend/quick"))).toBe("answered");
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await slow).toBe("The backend did not answer in time");
  expect(await reason(read("http://backend/quick"))).toBe("answered");
});
