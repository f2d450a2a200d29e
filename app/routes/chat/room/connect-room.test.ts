import { expect, onTestFinished, test, vi } from "vitest";
import type { Client } from "#app/features/site/client.ts";
import { browserGlobals, type Put, replaceProperties } from "#tests/helpers/browser-globals.ts";
import { type Connection, connectRoom } from "./connect-room.ts";

type Status = "sent" | "ok";

/** A client whose server answers each heartbeat, and the window's events. */
function simulateClient() {
  const window = new EventTarget();
  const names = ["addEventListener", "removeEventListener"] as const;
  onTestFinished(
    replaceProperties([
      ...browserGlobals(),
      ...names.map((name) => [globalThis, name, window[name].bind(window)] as Put),
    ]),
  );
  let tell = (_status: Status) => {};
  const channel = {
    on: () => channel,
    subscribe: (listener: (status: string) => void) => listener("SUBSCRIBED"),
    track: async () => "ok",
  };
  const client = {
    channel: () => channel,
    removeChannel: async () => "ok",
    realtime: {
      onHeartbeat: (listener: (status: Status) => void) => {
        tell = listener;
      },
      async sendHeartbeat() {
        tell("sent");
        tell("ok");
      },
    },
  };
  return { client: client as unknown as Client, window };
}

test("a connection that survives an interruption of the network is shown as connected again", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { client, window } = simulateClient();
  const shown: Connection[] = [];
  const ignore = () => {};
  const leave = connectRoom(client, "ana", {
    connection: (connection) => shown.push(connection),
    ...{
      listening: ignore,
      arrived: ignore,
      removed: ignore,
      renamed: ignore,
      reacted: ignore,
      present: ignore,
    },
  });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(shown).toEqual(["connected"]);
  window.dispatchEvent(new Event("offline"));
  expect(shown).toEqual(["connected", "reconnecting"]);
  window.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(shown).toEqual(["connected", "reconnecting", "connected"]);
  leave();
});
