import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { RealtimeChannel } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import {
  type Instance,
  openRealtime,
  type RealtimeTestServer,
  subscribe,
} from "#tests/helpers/realtime/realtime-server.ts";

const program = fileURLToPath(new URL("../../tests/helpers/realtime/backend-process.ts", import.meta.url));
let testServer: RealtimeTestServer;
let other: Instance;

beforeAll(async () => {
  testServer = await openRealtime();
  other = await testServer.openInstance();
});
afterAll(() => testServer.close());

const names = (channel: RealtimeChannel) =>
  Object.values(channel.presenceState())
    .flat()
    .map((entry) => (entry as unknown as { name: string }).name)
    .sort();

async function join(instance: Pick<Instance, "url">, name: string, heard: unknown[] = []) {
  const client = await testServer.clientFor("Ana", { instance: instance as Instance });
  const channel = client.channel(name, { config: { broadcast: { ack: true } } });
  channel.on("broadcast", { event: "*" }, ({ event, payload }) => heard.push([event, payload]));
  channel.on("presence", { event: "sync" }, () => {});
  channel.on("postgres_changes", { event: "INSERT", schema: "public", table: "chat_messages" }, (payload) =>
    heard.push(payload.new.message),
  );
  expect(await subscribe(channel)).toBe("SUBSCRIBED");
  return { client, channel, heard };
}

test("users on different processes of one database exchange messages of any length", async () => {
  const [here, there] = await Promise.all([join(testServer.instance, "room"), join(other, "room")]);
  // Until the two processes know of each other.
  await expect
    .poll(async () => {
      await here.channel.send({ type: "broadcast", event: "ping", payload: {} });
      return there.heard.length > 0;
    })
    .toBe(true);
  /** As in the hosted service, broadcasts may be lost: on a busy machine one process may consider the other gone. */
  const hear = async (event: string, payload: object) => {
    await expect
      .poll(async () => {
        await here.channel.send({ type: "broadcast", event, payload });
        return told(event).length > 0;
      })
      .toBe(true);
    return told(event)[0];
  };
  const told = (event: string) =>
    there.heard.flatMap((word) => (Array.isArray(word) && word[0] === event ? [word[1]] : []));
  const long = "🍎".repeat(20_000);
  expect(await hear("long", { long })).toEqual({ long });
  const bytes = await hear("bytes", new Uint8Array([1, 2, 255]).buffer);
  expect(new Uint8Array(bytes as ArrayBuffer)).toEqual(new Uint8Array([1, 2, 255]));
  for (const message of ["one", "two", "three"])
    await here.client.from("chat_messages").insert({ message }).throwOnError();
  // Changes arrive through the database's log, each once.
  const messages = ({ heard }: typeof here) => heard.filter((word) => typeof word === "string");
  await expect.poll(() => [here, there].map(messages)).toEqual(Array(2).fill(["one", "two", "three"]));
});

test("users see who is on other processes, including those who joined earlier, until they leave", async () => {
  const here = await join(testServer.instance, "deck");
  await here.channel.track({ name: "here" });
  const late = await testServer.openInstance();
  const there = await join(late, "deck");
  await there.channel.track({ name: "there" });
  await expect
    .poll(() => [names(here.channel), names(there.channel)])
    .toEqual(Array(2).fill(["here", "there"]));
  await here.channel.track({ name: "here, busy" });
  await expect.poll(() => names(there.channel)).toEqual(["here, busy", "there"]);
  await there.client.realtime.disconnect();
  await expect.poll(() => names(here.channel)).toEqual(["here, busy"]);
});

test("a killed process leaves no one in the presence state", async () => {
  const child = await startProcess();
  const here = await join(testServer.instance, "mast");
  await here.channel.track({ name: "here" });
  const there = await join({ url: child.url }, "mast");
  await there.channel.track({ name: "there" });
  await expect.poll(() => names(here.channel)).toEqual(["here", "there"]);
  child.process.kill("SIGKILL");
  await expect.poll(() => names(here.channel)).toEqual(["here"]);
  await there.client.realtime.disconnect();
});

test("clients leave a hanging process after two heartbeats, and reconnect when it resumes", async () => {
  const child = await startProcess();
  onTestFinished(() => void child.process.kill("SIGKILL"));
  const client = await testServer.clientFor("Ana", {
    instance: { url: child.url } as Instance,
    realtime: { heartbeatIntervalMs: 400, reconnectAfterMs: () => 100 },
  });
  const beats = new Set<string>();
  const statuses: string[] = [];
  client.realtime.onHeartbeat((status) => void beats.add(status));
  const channel = client
    .channel("keel", { config: { broadcast: { ack: true } } })
    .subscribe((status) => void statuses.push(status));
  // On a busy machine, such a short heartbeat may already have timed out before.
  await expect.poll(() => statuses.at(-1)).toBe("SUBSCRIBED");
  child.process.kill("SIGSTOP");
  await expect.poll(() => statuses.at(-1)).not.toBe("SUBSCRIBED");
  expect(beats).toContain("timeout");
  child.process.kill("SIGCONT");
  await expect.poll(() => statuses.at(-1)).toBe("SUBSCRIBED");
  const word = { type: "broadcast", event: "word", payload: {} } as const;
  await expect.poll(() => channel.send(word, { timeout: 2_000 })).toBe("ok");
  await client.realtime.disconnect();
});

test("state lost with the database connection is restored on reconnection", async () => {
  const [here, there] = await Promise.all([join(testServer.instance, "bow"), join(other, "bow")]);
  await here.channel.track({ name: "here" });
  await expect.poll(() => names(there.channel)).toEqual(["here"]);
  await testServer.owner.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'realtime_cluster listener' and datname = current_database()",
  );
  await there.channel.track({ name: "there" });
  await here.channel.untrack();
  await expect.poll(() => [names(here.channel), names(there.channel)]).toEqual(Array(2).fill(["there"]));
});

async function startProcess(): Promise<{ url: string; process: ChildProcess }> {
  const child = spawn(process.execPath, [program, JSON.stringify(testServer.options)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [url] = await once(child.stdout, "data");
  return { url: String(url).trim(), process: child };
}
