import { once } from "node:events";
import type { RealtimeChannel } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { atScale } from "#tests/helpers/at-scale.ts";
import {
  type Instance,
  openRealtime,
  type RealtimeTestServer,
  subscribe,
} from "#tests/helpers/realtime/realtime-server.ts";

const SOCKETS = atScale(240, 5_000);
const AT_A_TIME = atScale(24, 500);
const WORDS = 60;
const PATIENCE_MS = atScale(10_000, 60_000);

let testServer: RealtimeTestServer;
let instances: Instance[];

vi.setConfig({ testTimeout: atScale(90_000, 600_000) });

beforeAll(async () => {
  testServer = await openRealtime({ maxPresenceCalls: 10_000 });
  instances = [testServer.instance, await testServer.openInstance()];
  await testServer.owner.query("create table notes (id int primary key, shown boolean not null)");
  await testServer.owner.query("alter table notes enable row level security");
  await testServer.owner.query("create policy shown on notes for select to authenticated using (shown)");
  await testServer.owner.query("grant select on notes to authenticated");
  await testServer.owner.query("create table bells (id int primary key)");
  await testServer.owner.query("grant select on bells to authenticated");
  await testServer.owner.query("alter publication supabase_realtime add table notes, bells");
});
afterAll(() => testServer.close());

type Steady = { channel: RealtimeChannel; words: number[]; rows: unknown[] };

/** A client that stays, receives everything and sees presence. */
async function stay(instance: Instance): Promise<Steady> {
  const client = await testServer.clientFor("Ana", { instance });
  const channel = client.channel("room", { config: { broadcast: { self: true } } });
  const [words, rows]: [number[], unknown[]] = [[], []];
  channel.on("broadcast", { event: "word" }, ({ payload }) => words.push(payload.number));
  channel.on("presence", { event: "sync" }, () => {});
  const notes = { event: "*", schema: "public", table: "notes" } as const;
  channel.on("postgres_changes", notes, (change) => rows.push((change.new as { id?: number }).id));
  expect(await subscribe(channel)).toBe("SUBSCRIBED");
  return { channel, words, rows };
}

/** Connects, joins the room, tracks presence, and leaves in one of the ways clients do. */
async function connectAndLeave(number: number): Promise<void> {
  const { url } = instances[number % 2] as Instance;
  const socket = new WebSocket(`${url}/realtime/v1/websocket?apikey=${testServer.anonKey}&vsn=2.0.0`);
  socket.on("error", () => {});
  await once(socket, "open");
  const say = (ref: string, event: string, payload: object) =>
    socket.send(JSON.stringify(["1", ref, "realtime:room", event, payload]));
  const notes = { event: "*", schema: "public", table: "notes" };
  say("1", "phx_join", { config: { presence: { enabled: true }, postgres_changes: [notes] } });
  if (number % 4 !== 0) {
    await once(socket, "message");
    say("2", "presence", { type: "presence", event: "track", payload: { name: `guest ${number}` } });
  }
  if (number % 4 === 1) say("3", "phx_leave", {});
  if (number % 4 === 2) socket.terminate();
  else socket.close();
  if (socket.readyState !== WebSocket.CLOSED) await once(socket, "close");
}

test("sockets that come and go on two processes do not disturb those that stay, and leave nothing behind", async () => {
  const people = await Promise.all(instances.map(stay));
  const [speaker, listener] = people as [Steady, Steady];
  const names = () => people.map(({ channel }) => Object.keys(channel.presenceState()).length);
  const speak = (number: number) =>
    speaker.channel.send({ type: "broadcast", event: "word", payload: { number } });
  // On a busy machine, the processes may be late to learn of each other.
  const greeted = async () => {
    await speak(0);
    return listener.words.length;
  };
  await expect.poll(greeted, { timeout: PATIENCE_MS }).toBeGreaterThan(0);
  let next = 0;
  const guests = Promise.all(
    Array.from({ length: AT_A_TIME }, async () => {
      while (next < SOCKETS) await connectAndLeave(next++);
    }),
  );
  for (let number = 1; number <= WORDS; number++) {
    expect(await speak(number)).toBe("ok");
    await testServer.owner.query("insert into notes values ($1, true)", [String(number)]);
  }
  await guests;
  const all = Array.from({ length: WORDS }, (_, index) => index + 1);
  for (const { words, rows } of people) {
    await expect.poll(() => words.filter((number) => number > 0), { timeout: PATIENCE_MS }).toEqual(all);
    await expect.poll(() => rows, { timeout: PATIENCE_MS }).toEqual(all);
  }
  await expect.poll(names, { timeout: PATIENCE_MS }).toEqual([0, 0]);
  await expect.poll(() => instances.map(({ backend }) => backend.openSockets())).toEqual([1, 1]);
});

test("a row is delivered whenever it is visible, never while hidden, and not after the policy is dropped", async () => {
  const heard: unknown[][] = instances.map(() => []);
  for (const [index, instance] of instances.entries()) {
    const channel = (await testServer.clientFor("Ben", { instance })).channel("notes");
    for (const table of ["notes", "bells"])
      channel.on("postgres_changes", { event: "*", schema: "public", table }, (change) =>
        heard[index]?.push(change.eventType === "DELETE" ? ["gone", change.old] : change.new),
      );
    expect(await subscribe(channel)).toBe("SUBSCRIBED");
  }
  const { owner } = testServer;
  const show = (shown: boolean) => owner.query(`update notes set shown = ${shown} where id = 1000`);
  let bells = 0;
  // Each bell arrives after everything that happened before it. Returns what arrived since the previous bell.
  const ring = async () => {
    const id = ++bells;
    await owner.query("insert into bells values ($1)", [String(id)]);
    for (const changes of heard)
      await expect.poll(() => changes, { timeout: PATIENCE_MS }).toContainEqual({ id });
    return heard.map((changes) => changes.splice(0).slice(0, -1));
  };
  const toAll = (...changes: unknown[]) => heard.map(() => changes);
  await owner.query("insert into notes values (1000, false)");
  expect(await ring()).toEqual(toAll());
  for (const shown of [true, false, true]) {
    await show(shown);
    expect(await ring()).toEqual(shown ? toAll({ id: 1000, shown }) : toAll());
  }
  await owner.query("drop policy shown on notes");
  await owner.query("insert into notes values (1001, true)");
  await show(true);
  expect(await ring()).toEqual(toAll());
  await owner.query("create policy shown on notes for select to authenticated using (shown)");
  await owner.query("delete from notes where id = 1000");
  expect(await ring()).toEqual(toAll(["gone", { id: 1000 }]));
  // Rows that everyone may see are not checked one by one, but a new policy applies to the next row.
  await owner.query("create policy all_shown on notes for select to authenticated using (true)");
  await owner.query("insert into notes values (1002, false)");
  expect(await ring()).toEqual(toAll({ id: 1002, shown: false }));
  await owner.query("drop policy all_shown on notes");
  await owner.query("insert into notes values (1003, false)");
  expect(await ring()).toEqual(toAll());
});
