import { useEffect, useState } from "react";
import type { RoomView } from "#app/routes/chat/room/room-store.ts";
import { createStore, useStore } from "#app/ui/store.ts";

/** How many ids a request asks for: the service answers at most 200, and an address has a limited length. */
const MOST = 100;
/** Delay before a failed request is repeated, in milliseconds. */
const PAUSE = 3000;

type Read<T> = (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>;
/** What is known of an id, null if there is nothing, and the version that was asked for. */
type Known<T> = ReadonlyMap<string, { version: string; value: T | null }>;

/**
 * Keeps what the messages refer to: each id is asked for once in each of its versions, and the earlier answer stays
 * meanwhile.
 */
export function createLookUp<T>(read: Read<T>) {
  const store = createStore<Known<T>>(new Map());
  let wanted: ReadonlyMap<string, string> = new Map();
  let isReading = false;
  let waking: ReturnType<typeof setTimeout> | undefined;

  function want(versions: ReadonlyMap<string, string>) {
    wanted = versions;
    if (waking === undefined) void run();
  }

  /** One request at a time: many versions that follow each other closely are asked for together. */
  async function run() {
    waking = undefined;
    if (isReading) return;
    isReading = true;
    for (let due = findDue(); due.size > 0; due = findDue()) {
      const answer = await read([...due.keys()]).catch(() => null);
      if (answer) keep(due, answer);
      else {
        if (wanted.size > 0) waking = setTimeout(run, PAUSE);
        break;
      }
    }
    isReading = false;
  }

  function findDue(): ReadonlyMap<string, string> {
    const known = store.current();
    const due = [...wanted].filter(([id, version]) => known.get(id)?.version !== version);
    return new Map(due.slice(0, MOST));
  }

  function keep(due: ReadonlyMap<string, string>, answer: ReadonlyMap<string, T>) {
    const before = store.current();
    const kept = new Map([...before].filter(([id]) => wanted.has(id)));
    for (const [id, version] of due) {
      const [was, value] = [before.get(id)?.value, answer.get(id) ?? null];
      // The same object if nothing changed, so that nothing re-renders.
      const isSame = was !== undefined && JSON.stringify(was) === JSON.stringify(value);
      kept.set(id, { version, value: isSame ? was : value });
    }
    store.set(kept);
  }

  function stop() {
    clearTimeout(waking);
    waking = undefined;
    wanted = new Map();
  }

  return { store, want, stop };
}

/**
 * What ids of the messages stand for. All are read again with the list, since changes may have been missed before, and
 * those of a message that changed. `read` is that of the first call.
 */
export function useLookUp<T>(
  read: Read<T>,
  { lastRead, touched }: RoomView,
  ids: readonly string[],
): (id: string) => T | null | undefined {
  const [{ store, want, stop }] = useState(() => createLookUp(read));
  const known = useStore(store);
  useEffect(() => want(new Map(ids.map((id) => [id, `${lastRead} ${touched.get(id) ?? 0}`]))));
  useEffect(() => stop, [stop]);
  return (id) => known.get(id)?.value;
}
