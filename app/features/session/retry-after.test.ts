import { expect, it } from "vitest";
import { secondsToWait, withRetryAfter } from "./retry-after.ts";

const refusing = (headers: Record<string, string> = {}) =>
  withRetryAfter(async () => new Response(null, { status: 429, headers }))("/auth/v1/resend");

it("waits as long as the message says, else as the header says, else a minute", async () => {
  const soon = "For security purposes, you can only request this after 47 seconds.";
  expect(secondsToWait({ status: 429, message: soon })).toBe(47);
  await refusing({ "retry-after": "300" });
  expect(secondsToWait({ status: 429, message: "email rate limit exceeded" })).toBe(300);
  await refusing();
  expect(secondsToWait({ status: 429, message: "email rate limit exceeded" })).toBe(60);
});

it("does not take other refusals for a wait", () => {
  expect(secondsToWait({ status: 400, message: "after 5 seconds" })).toBeNull();
});
