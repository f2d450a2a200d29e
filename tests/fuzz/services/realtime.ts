import type { Chance } from "#tests/helpers/chance.ts";
import { type Fuzz, type FuzzFrames, send, type Who } from "../fuzz-request.ts";
import { mutateFrames, mutateRequest } from "../mutate.ts";
import { oddJson } from "../odd-values.ts";

const TOPICS = ["realtime:chat", "realtime:fuzz", "realtime:any", "realtime:{{Ana.id}}", "phoenix"];
const TABLES = ["chat_messages", "items", "profiles", "trades", "nope", "*"];
const WHO: Who[] = ["visitor", "Ana", "Ben", "Eve", "nobody", "server"];

/** What clients send over a socket and post over HTTP; then mutated. */
export function fuzzRealtime(chance: Chance): Fuzz {
  if (chance.chance(0.2)) return mutateRequest(chance, broadcastByHttp(chance));
  const version = chance.pick(["1.0.0", "2.0.0"]);
  let ref = 0;
  const topics = [chance.pick(TOPICS), chance.pick(TOPICS)];
  const frame = (topic: string, event: string, payload: unknown): string => {
    ref += 1;
    return JSON.stringify(
      version === "2.0.0"
        ? ["1", String(ref), topic, event, payload]
        : { topic, event, payload, ref: String(ref), join_ref: "1" },
    );
  };
  const frames: (string | Buffer)[] = topics.map((topic) => frame(topic, "phx_join", joinPayload(chance)));
  const count = chance.between(3, 16);
  for (let at = 0; at < count; at++) frames.push(makeBroadcast(chance, chance.pick(topics), frame, version));
  return mutateFrames(chance, { who: chance.pick(WHO), version, frames } satisfies FuzzFrames);
}

function joinPayload(chance: Chance): unknown {
  const change = () => ({
    event: chance.pick(["*", "INSERT", "UPDATE", "DELETE"]),
    schema: chance.pick(["public", "auth", "*"]),
    table: chance.pick(TABLES),
    filter: chance.pick([
      undefined,
      "id=eq.{{item}}",
      "name=in.(a,b)",
      "value=gt.1",
      "created_at=lt.now",
      "x",
    ]),
  });
  return {
    config: {
      broadcast: {
        ack: chance.chance(0.5),
        self: chance.chance(0.5),
        replay: chance.pick([undefined, { since: 0, limit: 5 }]),
      },
      presence: { key: chance.pick(["", "me"]), enabled: chance.chance(0.5) },
      postgres_changes: Array.from({ length: chance.pick([0, 0, 1, 2]) }, change),
      private: chance.chance(0.3),
    },
    ...(chance.chance(0.5) && { access_token: chance.pick(["{{Ana.token}}", "{{forged}}", "{{key}}"]) }),
  };
}

type MakeFrame = (topic: string, event: string, payload: unknown) => string;

function makeBroadcast(chance: Chance, topic: string, frame: MakeFrame, version: string): string | Buffer {
  const kind = chance.between(0, 7);
  if (kind === 0) return frame("phoenix", "heartbeat", {});
  if (kind === 1)
    return frame(topic, "access_token", {
      access_token: chance.pick(["{{Ana.token}}", "{{Ben.token}}", "{{forged}}", null]),
    });
  if (kind === 2)
    return frame(topic, "presence", {
      type: "presence",
      event: chance.pick(["track", "untrack"]),
      payload: { at: 1 },
    });
  if (kind === 3) return frame(topic, "phx_leave", {});
  if (kind === 4) return frame(topic, "phx_join", joinPayload(chance));
  if (kind === 5 && version === "2.0.0") return binaryBroadcast(topic);
  return frame(topic, "broadcast", {
    type: "broadcast",
    event: "said",
    payload: chance.chance(0.5) ? { text: "hello" } : oddJson(chance),
  });
}

function binaryBroadcast(topic: string): Buffer {
  const parts = ["1", "9", topic, "said", ""].map((text) => Buffer.from(text));
  return Buffer.concat([
    Buffer.from([3, ...parts.map((part) => part.length & 255), 1]),
    ...parts,
    Buffer.from('{"text":"hello"}'),
  ]);
}

function broadcastByHttp(chance: Chance) {
  const who = chance.pick(WHO);
  const message = () => ({
    topic: chance.pick(["chat", "fuzz"]),
    event: "said",
    payload: { a: 1 },
    private: chance.chance(0.2),
  });
  const kind = chance.between(0, 3);
  if (kind === 0)
    return send(
      "POST",
      `/realtime/v1/api/broadcast/${chance.pick(["fuzz", "chat"])}/events/said`,
      { a: 1 },
      who,
    );
  if (kind === 1)
    return {
      ...send(
        "GET",
        chance.pick(["/realtime/v1/api/ping", "/realtime/v1/api/tenants/x/health", "/realtime/v1/websocket"]),
        {},
        who,
      ),
      body: "",
    };
  return send("POST", "/realtime/v1/api/broadcast", { messages: [message(), message()] }, who);
}
