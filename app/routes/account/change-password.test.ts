import { expect, test } from "vitest";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { repeatChange } from "./change-password.ts";

/** A service that requires the current password, which it checks first. */
function clientWith(current: string): SessionClient {
  type Change = { password: string; current_password?: string };
  const codeFor = ({ password, current_password }: Change) => {
    if (current_password === undefined) return "current_password_required";
    if (current_password !== current) return "current_password_invalid";
    return password === current ? "same_password" : null;
  };
  const updateUser = async (change: Change) => {
    const code = codeFor(change);
    return { error: code && { code, message: code } };
  };
  return { auth: { updateUser } } as unknown as SessionClient;
}

const repeat = (current: string, typed: string) =>
  repeatChange(clientWith(current), { password: "new", nonce: "", current: typed }, false);

test("a password stored by an attempt whose answer was lost is told as stored, by its own being the current one", async () => {
  expect(await repeat("new", "old")).toEqual({ error: null });
});

test("one that was not stored is changed with the current password as typed", async () => {
  expect(await repeat("old", "old")).toEqual({ error: null });
  expect(await repeat("old", "wrong")).toMatchObject({ error: { code: "current_password_invalid" } });
  expect(await repeat("old", "")).toEqual({ error: null, wanted: "current" });
});
