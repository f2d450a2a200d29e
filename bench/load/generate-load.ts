import { connect } from "node:net";

/** Started by `runLoad` with a task as its only argument; prints its measurements as JSON. */
type Task = { url: string; headers: Record<string, string>; seconds: number; connections: number };

const task: Task = JSON.parse(process.argv[2] ?? "{}");
const { hostname, port, pathname, search } = new URL(task.url);
const head = Object.entries({ host: `${hostname}:${port}`, connection: "keep-alive", ...task.headers });
const request = Buffer.from(
  `GET ${pathname}${search} HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`,
);
const latencies: number[] = [];
const endOfHead = Buffer.from("\r\n\r\n");
/** Ends a chunked body, as PostgREST sends it: nothing follows, since requests are sequential. */
const lastChunk = Buffer.from("0\r\n\r\n");
let running = true;

/**
 * Sequential requests on one connection; uses a raw socket, because a client library would be slower than the servers.
 */
function runConnection(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.setNoDelay(true);
    let sentAt = 0;
    const send = () => {
      sentAt = performance.now();
      socket.write(request);
    };
    const read = createReader(() => {
      latencies.push(performance.now() - sentAt);
      if (running) return send();
      socket.destroy();
      resolve();
    });
    socket.on("connect", send);
    socket.on("error", reject);
    socket.on("end", () => reject(new Error("the server closed a connection")));
    socket.on("data", (chunk: Buffer) => {
      try {
        read(chunk);
      } catch (cause) {
        socket.destroy();
        reject(cause);
      }
    });
  });
}

/** Reads one response after the other, and calls `finish` at the end of each; throws at one that is not 200. */
function createReader(finish: () => void): (chunk: Buffer) => void {
  let head: Buffer | null = null;
  let end: EndOfBody | null = null;
  return (chunk) => {
    let body = chunk;
    if (!end) {
      head = head ? Buffer.concat([head, chunk]) : chunk;
      const length = head.indexOf(endOfHead);
      if (length < 0) return;
      end = toEnd(head.toString("latin1", 0, length));
      body = head.subarray(length + endOfHead.length);
      head = null;
    }
    if (!end(body)) return;
    end = null;
    finish();
  };
}

/** Whether the body ends with this part of it. */
type EndOfBody = (part: Buffer) => boolean;

function toEnd(head: string): EndOfBody {
  if (!head.startsWith("HTTP/1.1 200 ")) throw new Error(`unexpected answer: ${head.split("\r\n", 1)[0]}`);
  const length = /^content-length: *(\d+)$/im.exec(head)?.[1];
  if (length !== undefined) {
    let missing = Number(length);
    return (part) => {
      missing -= part.length;
      return missing === 0;
    };
  }
  if (!/^transfer-encoding: *chunked$/im.test(head)) throw new Error("the answer's length is unknown");
  let last = Buffer.alloc(0);
  return (part) => {
    last = Buffer.concat([last, part]).subarray(-lastChunk.length);
    return last.equals(lastChunk);
  };
}

const startedAt = performance.now();
setTimeout(() => {
  running = false;
}, task.seconds * 1000);
await Promise.all(Array.from({ length: task.connections }, runConnection));
const elapsed = (performance.now() - startedAt) / 1000;
latencies.sort((a, b) => a - b);
const quantile = (share: number) => latencies[Math.floor((latencies.length - 1) * share)];
const count = latencies.length;
console.log(
  JSON.stringify({ count, perSecond: count / elapsed, p50Ms: quantile(0.5), p99Ms: quantile(0.99) }),
);
