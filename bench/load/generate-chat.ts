import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { openRawSocket, type RawSocket } from "./raw-socket.ts";

/** Started by `runChat` with a task on stdin; prints its measurements as JSON. */
export type ChatTask = {
  /** One entry per client: its URL, first message, the expected content of the reply, and its heartbeat. */
  clients: { url: string; hello?: string; welcome?: string; heartbeat?: string }[];
  /** Messages are sent over HTTP by these writers in turn; `§` in the body is replaced by the message. */
  writers: { url: string; headers: Record<string, string>; body: string }[];
  seconds: number;
  perSecond: number;
  /** The process whose memory is measured. */
  pid: number;
};

export type ChatLoad = {
  connectsPerSecond: number;
  sent: number;
  expected: number;
  delivered: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Milliseconds of processor time of the server while messages were sent; other load hardly affects it. */
  cpuMs: number;
  /** KiB of the server's memory: before any client connected, with all connected, and the peak. */
  memory: { before: number; idle: number; peak: number };
};

const CONNECTS_AT_ONCE = 50;
const LAST_ONES_MS = 5_000;
/** Seconds of messages sent before the measured ones: a server that has just started is slow at first. */
const WARM_UP_SECONDS = 3;
/** As often as the official client; silent clients are disconnected. */
const HEARTBEAT_MS = 25_000;

const task: ChatTask = JSON.parse(readFileSync(0, "utf8"));
const warmUps = WARM_UP_SECONDS * task.perSecond;
const latencies: number[] = [];
const sentAt: number[] = [];
const BEFORE_INDEX = Buffer.from("offer ");
const AFTER_INDEX = Buffer.from(" today");

function onText(text: Buffer): void {
  const at = text.indexOf(BEFORE_INDEX);
  if (at < 0) return;
  const from = at + BEFORE_INDEX.length;
  const index = readIndex(text.toString("latin1", from, text.indexOf(AFTER_INDEX, from)));
  if (index >= warmUps) latencies.push(performance.now() - (sentAt[index] as number));
}

// Spelled with words that the chat knows, one per octal digit: digits in a row could be a phone number, and are hidden.
const DIGITS = ["fruit", "sword", "good", "fair", "nice", "more", "deal", "value"];
const toWords = (index: number) => Array.from(index.toString(8), (digit) => DIGITS[Number(digit)]).join(" ");
const readIndex = (words: string) =>
  Number.parseInt(
    words
      .split(" ")
      .map((word) => DIGITS.indexOf(word))
      .join(""),
    8,
  );

async function connectAll(): Promise<RawSocket[]> {
  const sockets: RawSocket[] = [];
  const queue = [...task.clients];
  const worker = async () => {
    for (let client = queue.pop(); client; client = queue.pop()) sockets.push(await connectOne(client));
  };
  await Promise.all(Array.from({ length: CONNECTS_AT_ONCE }, worker));
  return sockets;
}

async function connectOne({
  url,
  hello,
  welcome,
  heartbeat,
}: ChatTask["clients"][number]): Promise<RawSocket> {
  let isWelcome = welcome === undefined;
  let welcomed = () => {};
  const isIn = new Promise<void>((resolve) => {
    welcomed = resolve;
  });
  const socket = await openRawSocket(url, (text) => {
    // Not searched for in later messages: the baseline has none, and its clients would be faster.
    if (!isWelcome) {
      isWelcome = text.includes(welcome as string);
      if (isWelcome) welcomed();
    }
    onText(text);
  });
  if (heartbeat) {
    // Heartbeats are staggered, since real clients do not all connect within the same second.
    const beat = () => {
      socket.send(heartbeat);
      setTimeout(beat, HEARTBEAT_MS);
    };
    setTimeout(beat, Math.random() * HEARTBEAT_MS);
  }
  if (!hello) return socket;
  socket.send(hello);
  await isIn;
  return socket;
}

const agent = new Agent({ keepAlive: true });

function write(index: number): Promise<void> {
  const { url, headers, body } = task.writers[index % task.writers.length] as ChatTask["writers"][number];
  return new Promise((resolve, reject) => {
    const sending = request(url, { method: "POST", headers, agent }, (answer) => {
      answer.resume();
      if (answer.statusCode === 201) resolve();
      else reject(new Error(`a message was answered ${answer.statusCode}`));
    });
    sending.on("error", reject);
    sentAt[index] = performance.now();
    sending.end(body.replace("§", `offer ${toWords(index)} today ${"good luck ".repeat(10)}`));
  });
}

/** Sends messages at a fixed rate, whether or not the previous one has been delivered. */
async function writeAll(first: number, count: number): Promise<void> {
  const startedAt = performance.now();
  const writes: Promise<void>[] = [];
  for (let at = 0; at < count; at++) {
    await wait(Math.max(0, startedAt + (at * 1_000) / task.perSecond - performance.now()));
    writes.push(write(first + at));
  }
  await Promise.all(writes);
  // What is written next keeps the rate too: the last message may still be on its way to the clients.
  await wait(Math.max(0, startedAt + (count * 1_000) / task.perSecond - performance.now()));
}

/** KiB, as reported by the kernel. */
function memoryOf(field: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${task.pid}/status`, "utf8");
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]);
}

/** A tick is ten milliseconds; user and system time. */
function cpuMs(): number {
  const fields = readFileSync(`/proc/${task.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const before = memoryOf("VmRSS");
const connectingAt = performance.now();
const sockets = await connectAll();
const connectsPerSecond = (sockets.length * 1_000) / (performance.now() - connectingAt);
const idle = memoryOf("VmRSS");
await writeAll(0, warmUps);
const startedAt = performance.now();
const cpuBefore = cpuMs();
const sent = task.seconds * task.perSecond;
await writeAll(warmUps, sent);
const elapsed = (performance.now() - startedAt) / 1_000;
const expected = sent * sockets.length;
for (let left = LAST_ONES_MS; latencies.length < expected && left > 0; left -= 50) await wait(50);
const peak = memoryOf("VmHWM");
latencies.sort((a, b) => a - b);
const quantile = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? Number.NaN;
console.log(
  JSON.stringify({
    connectsPerSecond,
    sent,
    expected,
    delivered: latencies.length,
    perSecond: latencies.length / elapsed,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    cpuMs: cpuMs() - cpuBefore,
    memory: { before, idle, peak },
  } satisfies ChatLoad),
);
process.exit();
