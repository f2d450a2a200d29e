import { connect, type Socket } from "node:net";

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
let running = true;

/**
 * Sequential requests on one connection; uses a raw socket, because a client library would be slower than the servers.
 */
function runConnection(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.setNoDelay(true);
    let pending: Buffer | null = null;
    let missing = 0;
    let sentAt = 0;
    const send = () => {
      sentAt = performance.now();
      socket.write(request);
    };
    const finish = () => {
      latencies.push(performance.now() - sentAt);
      if (running) return send();
      socket.destroy();
      resolve();
    };
    socket.on("connect", send);
    socket.on("error", reject);
    socket.on("end", () => reject(new Error("the server closed a connection")));
    socket.on("data", (chunk: Buffer) => {
      if (missing > 0) {
        missing -= chunk.length;
        if (missing === 0) finish();
        return;
      }
      pending = pending ? Buffer.concat([pending, chunk]) : chunk;
      const end = pending.indexOf(endOfHead);
      if (end < 0) return;
      const length = bodyLength(pending.subarray(0, end).toString("latin1"), socket, reject);
      missing = length - (pending.length - end - endOfHead.length);
      pending = null;
      if (missing === 0) finish();
    });
  });
}

function bodyLength(answer: string, socket: Socket, reject: (error: Error) => void): number {
  const length = /^content-length: *(\d+)$/im.exec(answer)?.[1];
  if (answer.startsWith("HTTP/1.1 200 ") && length !== undefined) return Number(length);
  socket.destroy();
  reject(new Error(`unexpected answer: ${answer.split("\r\n", 1)[0]}, content-length ${length}`));
  return 0;
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
