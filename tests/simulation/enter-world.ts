import nodeCrypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import timersPromises from "node:timers/promises";
import { browserGlobals, type Put, replaceProperties } from "#tests/helpers/browser-globals.ts";
import type { World } from "./world.ts";

/** Replaces the machine's time and randomness with the world's until the returned function is called. */
export function enterWorld(world: World): () => void {
  const leave = replaceProperties([...timersOf(world), ...chanceOf(world), ...browserGlobals()]);
  syncBuiltinESMExports();
  return () => {
    leave();
    syncBuiltinESMExports();
  };
}

type Timer = { isOff: boolean };

function timersOf(world: World): Put[] {
  const actorNow = () => {
    if (!world.current) throw new Error("a timer was set by nobody");
    return world.current;
  };
  const handleOf = (timer: Timer) => {
    const handle = { timer, unref: () => handle, ref: () => handle, hasRef: () => true };
    return handle;
  };
  const clear = (handle?: { timer: Timer }) => {
    if (handle?.timer) handle.timer.isOff = true;
  };
  const later = (act: (...given: unknown[]) => void, after = 0, ...given: unknown[]) =>
    handleOf(world.schedule(actorNow(), Math.max(1, after), "timer", () => act(...given)));
  const always = (act: () => void, every = 1) => {
    const actor = actorNow();
    const again = () => {
      handle.timer = world.schedule(actor, every, "interval", tick);
    };
    const tick = () => {
      again();
      act();
    };
    const handle = handleOf({ isOff: false });
    again();
    return handle;
  };
  const wait = (after: number, value?: unknown, { signal }: { signal?: AbortSignal } = {}) =>
    new Promise((resolve, reject) => {
      const timer = later(() => resolve(value), after);
      signal?.addEventListener("abort", () => {
        clear(timer);
        reject(signal.reason);
      });
    });
  return [
    [globalThis, "setTimeout", later],
    [globalThis, "clearTimeout", clear],
    [globalThis, "setInterval", always],
    [globalThis, "clearInterval", clear],
    [globalThis, "Date", dateOf(world)],
    // Monotonic: never jumps and is unrelated to the time of day.
    [performance, "now", () => world.elapsed],
    [timersPromises, "setTimeout", wait],
  ];
}

function dateOf(world: World): DateConstructor {
  const now = () => world.now + (world.current?.skew ?? 0);
  return class extends Date {
    constructor(...given: unknown[]) {
      super(...((given.length === 0 ? [now()] : given) as [number]));
    }
    static override now() {
      return now();
    }
  } as DateConstructor;
}

function chanceOf(world: World): Put[] {
  const hex = (length: number) =>
    Array.from({ length }, () => Math.floor(world.random() * 16).toString(16)).join("");
  const uuid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
  return [
    [Math, "random", () => world.random()],
    [globalThis.crypto, "randomUUID", uuid],
    [nodeCrypto, "randomUUID", uuid],
    [nodeCrypto, "randomBytes", (length: number) => Buffer.from(hex(2 * length), "hex")],
  ];
}
