import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

// Preloaded into the server's own process. Measures event-loop turns in CPU time, so that other programs on a busy
// machine do not count.
const EVERY_MS = 5;
let longest = 0;
let before = spent();

function spent(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

setInterval(() => {
  const now = spent();
  longest = Math.max(longest, now - before);
  before = now;
}, EVERY_MS).unref();

const server = createServer((_, response) => {
  response.end(String(longest));
  longest = 0;
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`The loop is watched at http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
server.unref();
