import { expect, test } from "vitest";
import { defaultRealtimeConfig } from "#backend/realtime/realtime-config.ts";
import { readRealtimeSettings } from "./realtime-settings.ts";

test.each([
  [
    "TENANT_MAX_CONCURRENT_USERS",
    "many",
    "TENANT_MAX_CONCURRENT_USERS must be a whole number from 1 to 1000000.",
  ],
  [
    "REALTIME_MAX_PAYLOAD_BYTES",
    "1",
    "REALTIME_MAX_PAYLOAD_BYTES must be a whole number from 1024 to 100000000.",
  ],
  [
    "REALTIME_MAX_BUFFERED_BYTES",
    "1048576",
    "REALTIME_MAX_BUFFERED_BYTES must be at least twice REALTIME_MAX_PAYLOAD_BYTES.",
  ],
  ["REALTIME_PRIVATE_ONLY", "perhaps", "REALTIME_PRIVATE_ONLY must be true or false."],
])("%s=%s is refused with the rule it breaks", (name, value, sentence) => {
  expect(() => readRealtimeSettings({ [name]: value })).toThrow(sentence);
});

test("each setting has a variable, and unset ones keep their defaults", () => {
  expect(readRealtimeSettings({})).toEqual({});
  const set = readRealtimeSettings({
    REALTIME_PRIVATE_ONLY: "true",
    TENANT_MAX_CONCURRENT_USERS: "1001",
    TENANT_MAX_CHANNELS_PER_CLIENT: "1002",
    TENANT_MAX_EVENTS_PER_SECOND: "1003",
    TENANT_MAX_JOINS_PER_SECOND: "1004",
    CLIENT_PRESENCE_MAX_CALLS: "1005",
    CLIENT_PRESENCE_WINDOW_MS: "1006",
    REALTIME_MAX_CONNECTIONS_PER_ADDRESS: "1007",
    REALTIME_MAX_PRESENCE_BYTES: "1030",
    REALTIME_MAX_HTTP_MESSAGES_PER_SECOND: "1031",
    REALTIME_MAX_PAYLOAD_BYTES: "1028",
    REALTIME_MAX_BUFFERED_BYTES: "9029",
    REALTIME_STALLED_TIMEOUT_MS: "1032",
    REALTIME_IDLE_TIMEOUT_MS: "1010",
  });
  expect(new Set(Object.values(set)).size).toBe(14);
  const { signOfLifeMs: _, addressHeader: __, replicationTimeoutMs: ___, ...limits } = defaultRealtimeConfig;
  expect(Object.keys(set).sort()).toEqual(Object.keys(limits).sort());
});
