import { expect, test } from "vitest";
import { readAccessToken, readJoinConfig } from "./join-config.ts";

test.each(["true", "True", true])("%j switches an option on, as private channels above all", (on) => {
  const config = {
    private: on,
    broadcast: { self: on, ack: on },
    presence: { enabled: on },
    postgres_changes_options: { wait: on },
  };
  const read = readJoinConfig({ config }, "room");
  expect(read).toMatchObject({ private: true, self: true, ack: true, presenceEnabled: true });
  expect(read.changesWaitMs).toBe(15_000);
});

test.each(["false", "False", false, null, undefined])("%j does not", (off) => {
  const config = { private: off, broadcast: { self: off, ack: off }, presence: { enabled: off } };
  expect(readJoinConfig({ config }, "room")).toMatchObject({
    private: false,
    self: false,
    ack: false,
    presenceEnabled: false,
  });
});

test.each(["yes", "TRUE", "", 1, [true]])("%j does not either, and opens no channel to everyone", (odd) => {
  const config = { broadcast: { self: odd, ack: odd }, presence: { enabled: odd } };
  expect(readJoinConfig({ config }, "room")).toMatchObject({
    self: false,
    ack: false,
    presenceEnabled: false,
  });
  expect(() => readJoinConfig({ config: { private: odd } }, "room")).toThrow("private must be true or false");
  const written = JSON.stringify({ private: true });
  for (const unread of [written, [written]])
    expect(() => readJoinConfig({ config: unread }, "room")).toThrow("config must be a map");
});

test.each([{ config: {} }, { config: { presence: null } }, {}])(
  "%j gets presence, which it may not know to ask for",
  (payload) => {
    expect(readJoinConfig(payload, "room").presenceEnabled).toBe(true);
  },
);

test.each([
  ["ana", "ana"],
  [123, "123"],
  [1.5, "1.5"],
  [true, "true"],
  ["", null],
  [{ a: 1 }, null],
  [["a"], null],
])("a presence key %j is read as %j", (key, read) => {
  expect(readJoinConfig({ config: { presence: { key } } }, "room").presenceKey).toBe(read);
});

test("a token is also read under the name that old clients give it, and API keys are none", () => {
  expect(readAccessToken({ user_token: "a.b.c" })).toBe("a.b.c");
  expect(readAccessToken({ access_token: "d.e.f", user_token: "a.b.c" })).toBe("d.e.f");
  expect(readAccessToken({ user_token: "sb_publishable_x" })).toBeNull();
});
