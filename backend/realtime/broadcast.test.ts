import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRealtime, type RealtimeTestServer, subscribe } from "#tests/helpers/realtime/realtime-server.ts";

let testServer: RealtimeTestServer;

beforeAll(async () => {
  testServer = await openRealtime();
});
afterAll(() => testServer.close());

async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${testServer.instance.url}/realtime/v1/api/broadcast${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

/** Joins a public channel and records the broadcasts it receives. */
async function listener(name: string, options: { self?: boolean; ack?: boolean; vsn?: string } = {}) {
  const { vsn, ...broadcast } = options;
  const client = await testServer.clientFor(null, vsn ? { realtime: { vsn } } : {});
  const heard: unknown[] = [];
  const channel = client.channel(name, { config: { broadcast } });
  channel.on("broadcast", { event: "*" }, ({ event, payload }) => heard.push([event, payload]));
  expect(await subscribe(channel)).toBe("SUBSCRIBED");
  return { channel, heard };
}

test("an HTTP broadcast is refused without a key, with an invalid key, or if malformed", async () => {
  const good = { apikey: testServer.anonKey };
  const message = { topic: "room", event: "word", payload: {} };
  expect(await post("", { messages: [message] })).toMatchObject({ status: 401 });
  expect(await post("", { messages: [message] }, { apikey: "bad" })).toMatchObject({ status: 401 });
  expect(await post("", "{", good)).toMatchObject({ status: 400 });
  expect(await post("", { messages: [] }, good)).toMatchObject({ status: 422 });
  expect(await post("", { messages: [{ ...message, payload: 1 }] }, good)).toMatchObject({ status: 422 });
  expect(await post("", { messages: [{ ...message, topic: "a\0" }] }, good)).toMatchObject({ status: 422 });
  expect(await post("/%E0/events/word", {}, good)).toMatchObject({ status: 400 });
  expect(await post("/elsewhere", {}, good)).toMatchObject({ status: 404 });
});

test("a refused HTTP broadcast says what is wrong with which part, as in the hosted service", async () => {
  const good = { apikey: testServer.anonKey };
  const message = { topic: "room", event: "word", payload: {} };
  const errorsOf = async (path: string, body: unknown, headers = {}) => {
    const { status, text } = await post(path, body, { ...good, ...headers });
    return [status, JSON.parse(text).errors];
  };
  expect(await errorsOf("", {})).toEqual([422, { messages: ["can't be blank"] }]);
  const wrong = { topic: "", event: 1, private: "perhaps" };
  expect(await errorsOf("", { messages: [message, wrong] })).toEqual([
    422,
    {
      messages: [
        {},
        {
          topic: ["can't be blank"],
          event: ["is invalid"],
          payload: ["can't be blank"],
          private: ["is invalid"],
        },
      ],
    },
  ]);
  const long = { text: "x".repeat(3_000_000) };
  const tooLong = [422, { payload: ["Payload size exceeds tenant limit"] }];
  expect(await errorsOf("/room/events/word", long)).toEqual(tooLong);
  const text = { ...good, "content-type": "text/plain" };
  expect(await post("/room/events/word", "words", text)).toMatchObject({ status: 415 });
});

describe.each(["1.0.0", "2.0.0"])("with serializer %s", (vsn) => {
  test("others receive a broadcast, the sender only with self, and an acknowledgment only with ack", async () => {
    const room = `room ${vsn} 🍎`;
    const quiet = await listener(room, { vsn });
    const loud = await listener(room, { vsn, self: true, ack: true });
    expect(await loud.channel.send({ type: "broadcast", event: "word", payload: { a: "é" } })).toBe("ok");
    await quiet.channel.send({ type: "broadcast", event: "answer", payload: { b: 2 } });
    await expect
      .poll(() => loud.heard)
      .toEqual([
        ["word", { a: "é" }],
        ["answer", { b: 2 }],
      ]);
    expect(quiet.heard).toEqual([["word", { a: "é" }]]);
  });
});

test("broadcasts cross serializers, HTTP and the database; binary ones reach only clients that support them", async () => {
  const torn = { apikey: testServer.anonKey, authorization: "Bearer a b" };
  expect(await post("/mixed/events/torn", {}, torn)).toMatchObject({ status: 401 });
  const old = await listener("mixed", { vsn: "1.0.0" });
  const young = await listener("mixed", { ack: true });
  const words: [string, unknown][] = [
    ["one", { n: 1 }],
    ["two", { n: 2 }],
    ["three", { n: 3 }],
  ];
  await post(
    "",
    { messages: words.slice(0, 2).map(([event, payload]) => ({ topic: "mixed", event, payload })) },
    { apikey: testServer.anonKey },
  );
  await young.channel.httpSend("three", { n: 3 });
  await expect.poll(() => [old.heard, young.heard]).toEqual([words, words]);
  await old.channel.send({ type: "broadcast", event: "four", payload: { n: 4 } });
  await testServer.owner.query(`select realtime.send('{"n": 5}', 'five', 'mixed', false)`);
  await expect.poll(() => young.heard.length).toBe(5);
  expect(young.heard.slice(3)).toEqual([
    ["four", { n: 4 }],
    ["five", { n: 5, id: expect.any(String) }],
  ]);
  await post("/mixed/events/bytes", "raw", {
    apikey: testServer.anonKey,
    "content-type": "application/octet-stream",
  });
  await expect.poll(() => young.heard.length).toBe(6);
  const [event, bytes] = young.heard[5] as [string, ArrayBuffer];
  expect([event, Buffer.from(bytes).toString()]).toEqual(["bytes", "raw"]);
  expect(old.heard.length).toBe(4);
});

test("a broadcast to a private channel stays there, however it is called private", async () => {
  const { heard } = await listener("asked");
  const key = { apikey: testServer.anonKey };
  const unauthorized = { status: 403, text: expect.stringContaining('"message":"Unauthorized"') };
  expect(await post("/asked/events/hidden?from=a?b&private=true", {}, key)).toMatchObject(unauthorized);
  const secret = { topic: "asked", event: "hidden", payload: {}, private: "true" };
  expect(await post("", { messages: [secret] }, key)).toMatchObject({ status: 202 });
  const unread = await post("/asked/events/hidden?private=yes", {}, key);
  expect([unread.status, JSON.parse(unread.text).errors]).toEqual([422, { private: ["is invalid"] }]);
  const client = await testServer.clientFor(null);
  const odd = { config: { private: "yes" as never } };
  expect(await subscribe(client.channel("asked", odd))).toBe("CHANNEL_ERROR private must be true or false");
  await post("/asked/events/open", {}, key);
  await expect.poll(() => heard).toEqual([["open", {}]]);
});

test("a trigger can broadcast changes to a private channel", async () => {
  await testServer.owner.query("create table lighthouses (id int primary key, name text)");
  await testServer.owner.query(`create function tell() returns trigger language plpgsql as $$
    begin
      perform realtime.broadcast_changes('lights', tg_op, tg_op, tg_table_name, tg_table_schema, new, old);
      return null;
    end $$`);
  await testServer.owner.query(
    "create trigger tell after insert on lighthouses for each row execute function tell()",
  );
  await testServer.owner.query(`create policy "Everyone sees the lights" on realtime.messages for select
    using ((select realtime.topic()) = 'lights')`);
  const heard: unknown[] = [];
  const channel = (await testServer.clientFor("Ana")).channel("lights", { config: { private: true } });
  channel.on("broadcast", { event: "INSERT" }, ({ payload }) => heard.push(payload));
  expect(await subscribe(channel)).toBe("SUBSCRIBED");
  await testServer.owner.query("insert into lighthouses values (1, 'Alexandria')");
  await expect
    .poll(() => heard)
    .toMatchObject([
      { table: "lighthouses", operation: "INSERT", record: { id: 1, name: "Alexandria" }, old_record: null },
    ]);
});
