import { Agent, request as ask, type IncomingMessage } from "node:http";
import { WebSocket } from "ws";
import type { Fuzz, FuzzFrames, FuzzRequest } from "./fuzz-request.ts";
import type { TestBed } from "./test-bed.ts";

/** Longer than any of the site's own timeouts: a longer wait means it hangs. */
const PATIENCE_MS = 40_000;
const KEPT_BYTES = 2_000;

/** The response: a status and the beginning of the body, or why there was none. */
export type Outcome =
  | { status: number; headers: Record<string, unknown>; body: string }
  | { failure: string };

export type SendFuzz = { send(fuzz: Fuzz, index: number): Promise<Outcome>; close(): void };

export function createSender(testBed: TestBed): SendFuzz {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const { hostname, port } = new URL(testBed.server.address);
  const fill = (text: string, index: number) =>
    text.replace(/\{\{([\w.]+)\}\}/g, (whole, name) =>
      name === "number" ? String(index) : (testBed.words.get(name) ?? whole),
    );

  async function sendOnce(fuzz: FuzzRequest, index: number, fresh: boolean): Promise<Outcome> {
    const { path, headers, body } = toWire(fuzz, (text) => fill(text, index));
    const known = { ...testBed.headersOf(fuzz.who), "x-real-ip": addressOf(index) };
    return new Promise((resolve) => {
      const request = ask({
        hostname,
        port,
        method: fuzz.method,
        path,
        headers: { ...known, ...headers },
        agent: fresh ? new Agent() : agent,
      });
      const timer = setTimeout(() => {
        const { reusedSocket, writableFinished } = request;
        const how = `${reusedSocket ? "kept" : "new"} connection, ${writableFinished ? "all" : "not all"} sent`;
        end({ failure: `no answer within ${PATIENCE_MS / 1000} s (${how})` });
      }, PATIENCE_MS);
      const end = (outcome: Outcome) => {
        clearTimeout(timer);
        resolve(outcome);
        if ("failure" in outcome) request.destroy();
      };
      request.once("response", (response) => readAnswer(response, end));
      request.once("error", (error: NodeJS.ErrnoException) =>
        end({ failure: `no answer: ${error.code ?? error.message}` }),
      );
      request.end(body);
    });
  }

  return {
    async send(fuzz, index) {
      if ("frames" in fuzz) return sendFrames(fuzz, { testBed, index, fill });
      const outcome = await sendOnce(fuzz, index, false);
      // The server closing a kept-alive connection at that moment is not a fault.
      return "failure" in outcome && outcome.failure.startsWith("no answer:")
        ? sendOnce(fuzz, index, true)
        : outcome;
    },
    close: () => agent.destroy(),
  };
}

function readAnswer(response: IncomingMessage, end: (outcome: Outcome) => void): void {
  const { statusCode: status = 0, headers } = response;
  let body = "";
  const done = () => end({ status, headers, body });
  response.on("data", (chunk: Buffer) => {
    if (body.length < KEPT_BYTES) body += chunk.toString("utf8");
    // It stays open as long as the page does.
    if (headers["content-type"]?.startsWith("text/event-stream")) {
      done();
      response.destroy();
    }
  });
  response.once("end", done);
  response.once("error", (error) => end({ failure: `the answer broke off: ${error.message}` }));
}

type Wire = { path: string; headers: Record<string, string>; body: Buffer | undefined };

/** Only what HTTP can carry: other characters are escaped in an address and dropped from a header. */
function toWire({ path, query, headers, body }: FuzzRequest, fill: (text: string) => string): Wire {
  const toAscii = (text: string) =>
    text.toWellFormed().replace(/[^!-~]/gu, (character) => encodeURIComponent(character));
  const text = query.map(([name, value]) => `${plain(fill(name))}=${plain(fill(value))}`).join("&");
  const whole = `${fill(path).replace(/^(?!\/)/, "/")}${text && `?${text}`}`;
  const sent = Object.entries(headers).map(([name, value]) => [
    name,
    fill(value).replace(/[^\t -~\x80-\xff]/g, ""),
  ]);
  const content = typeof body === "string" ? Buffer.from(fill(body)) : body;
  // Node sends a content length only for methods that usually have a body.
  const length = content && { "content-length": String(content.length) };
  return { path: toAscii(whole), headers: { ...Object.fromEntries(sent), ...length }, body: content };
}

/** Encoded as clients do, so that most of it arrives unchanged. */
const plain = (text: string) =>
  encodeURIComponent(text.toWellFormed()).replace(/%2[8C9]|%3A/g, decodeURIComponent);

function addressOf(index: number): string {
  const mixed = Math.imul(index + 1, 2654435761) >>> 0;
  return `10.${mixed >>> 24}.${(mixed >>> 16) & 255}.${(mixed >>> 8) & 255}`;
}

type Place = { testBed: TestBed; index: number; fill(text: string, index: number): string };

/** Sends all frames, then a heartbeat: either it is answered or the socket was closed. */
function sendFrames({ who, version, frames }: FuzzFrames, { testBed, index, fill }: Place): Promise<Outcome> {
  const { apikey = "" } = testBed.headersOf(who);
  const url = new URL("/realtime/v1/websocket", testBed.server.address.replace("http", "ws"));
  url.searchParams.set("apikey", apikey);
  url.searchParams.set("vsn", version);
  return new Promise((resolve) => {
    const socket = new WebSocket(url, { headers: { "x-real-ip": addressOf(index) } });
    const end = (outcome: Outcome) => {
      clearTimeout(timer);
      resolve(outcome);
      socket.terminate();
    };
    const timer = setTimeout(
      () => end({ failure: `the socket is silent for ${PATIENCE_MS / 1000} s` }),
      PATIENCE_MS,
    );
    socket.once("unexpected-response", (_, response) => readAnswer(response, end));
    socket.once("error", (error) => end({ failure: `the socket: ${error.message}` }));
    socket.once("close", (code) =>
      end({ status: code === 1011 ? 500 : 101, headers: {}, body: `closed by ${code}` }),
    );
    socket.on("message", (data) => {
      if (String(data).includes("fuzz-end")) end({ status: 101, headers: {}, body: "" });
    });
    socket.once("open", () => {
      for (const frame of frames) socket.send(typeof frame === "string" ? fill(frame, index) : frame);
      const last = { topic: "phoenix", event: "heartbeat", payload: {}, ref: "fuzz-end" };
      socket.send(JSON.stringify(version === "2.0.0" ? [null, last.ref, last.topic, last.event, {}] : last));
    });
  });
}
