import { once } from "node:events";
import { createServer } from "node:http";
import fc from "fast-check";
import { expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { ANY_CHARACTER } from "#tests/helpers/any-character.ts";
import { listen } from "#tests/helpers/listen.ts";
import { decodeFrame } from "./decode-frame.ts";
import { encodeBroadcast, encodeText, wrapFrame } from "./encode-frame.ts";
import type { Version } from "./message.ts";

const version = fc.constantFrom<Version>("1.0.0", "2.0.0");

test("the decoder never throws on arbitrary bytes, whatever the serializer", () => {
  fc.assert(
    fc.property(version, fc.uint8Array({ maxLength: 300 }), fc.boolean(), (serializer, bytes, binary) => {
      const message = decodeFrame(serializer, bytes, binary);
      expect(message === null || typeof message.topic === "string").toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test("the decoder never throws on arbitrary JSON, and detects wrong lengths", () => {
  fc.assert(
    fc.property(version, fc.json(), (serializer, json) => {
      decodeFrame(serializer, Buffer.from(json), false);
    }),
    { numRuns: 1_000 },
  );
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 6, maxLength: 80 }), (bytes) => {
      const message = decodeFrame("2.0.0", Uint8Array.of(3, ...bytes), true);
      const named = [0, 1, 2, 3, 4].reduce((sum, at) => sum + (bytes[at] as number), 7);
      if (named > bytes.length + 1) expect(message).toBeNull();
    }),
    { numRuns: 1_000 },
  );
});

test("text frames round-trip with any Unicode character", () => {
  const text = fc.string({ unit: ANY_CHARACTER, maxLength: 20 }).map((words) => words.toWellFormed());
  fc.assert(
    fc.property(version, text, text, fc.jsonValue({ maxDepth: 2 }), (serializer, topic, ref, payload) => {
      const json = JSON.stringify(payload);
      const { data } = encodeText(serializer, { joinRef: "7", ref, topic, event: "word" }, json);
      expect(decodeFrame(serializer, data, false)).toEqual({
        joinRef: "7",
        ref: ref || null,
        topic,
        event: "word",
        payload: JSON.parse(json),
      });
    }),
  );
});

test("a websocket client reads wrapped frames of any length", async () => {
  const lengths = [0, 125, 126, 65_535, 65_536];
  const frames = lengths.flatMap((length) => [true, false].map((binary) => ({ length, binary })));
  const server = createServer();
  const webSockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, socket, head) =>
    webSockets.handleUpgrade(request, socket, head, (client) => {
      for (const { length, binary } of frames)
        socket.write(wrapFrame(Buffer.alloc(length, "x"), binary).wire);
      client.close();
    }),
  );
  const { port, close } = await listen(server);
  const client = new WebSocket(`ws://127.0.0.1:${port}`);
  const read: typeof frames = [];
  client.on("message", (data: Buffer, binary) => read.push({ length: data.length, binary }));
  await once(client, "close");
  await close();
  expect(read).toEqual(frames);
});

test("JSON is broadcast as text, which clients of Phoenix alone read, and bytes in a binary frame with short names", () => {
  const json = { event: "x", json: '{"n":1}', meta: { id: "7" } };
  const frame = encodeBroadcast("2.0.0", "realtime:a", json);
  const payload = { type: "broadcast", event: "x", payload: { n: 1 }, meta: { id: "7" } };
  expect(frame?.binary).toBe(false);
  expect(JSON.parse(Buffer.from(frame?.data ?? []).toString())).toEqual([
    null,
    null,
    "realtime:a",
    "broadcast",
    payload,
  ]);
  const bytes = new Uint8Array(1);
  expect(encodeBroadcast("2.0.0", "realtime:a", { event: "x", bytes })?.binary).toBe(true);
  expect(encodeBroadcast("2.0.0", "realtime:a", { event: "x".repeat(300), bytes })).toBeNull();
  expect(encodeBroadcast("1.0.0", "realtime:a", { event: "x", bytes })).toBeNull();
});

test("a broadcast without an event is one for those who listen to all events", () => {
  const payload = { type: "broadcast", payload: { n: 1 } };
  const frame = ["1", "2", "realtime:room", "broadcast", payload];
  const expected = { topic: "realtime:room", payload: { event: "", json: '{"n":1}' } };
  expect(decodeFrame("2.0.0", Buffer.from(JSON.stringify(frame)), false)).toMatchObject(expected);
});

test("a reference longer than a binary frame could hold counts as absent", () => {
  const refsOf = (ref: string) =>
    decodeFrame("2.0.0", Buffer.from(JSON.stringify([ref, ref, "realtime:room", "phx_join", {}])), false);
  expect(refsOf("r".repeat(255))).toMatchObject({ joinRef: "r".repeat(255), ref: "r".repeat(255) });
  expect(refsOf("r".repeat(256))).toMatchObject({ joinRef: null, ref: null });
});
