import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { BUCKET, type TestBed } from "./test-bed.ts";

const OF_EACH = 60;
const LARGE = "large";
const LARGE_BYTES = 8_000_000;
const BYTE_EVERY_MS = 500;

/** Clients that hold connections and hardly use them, until the returned function is called. */
export async function startSlowVisitors(testBed: TestBed): Promise<() => Promise<void>> {
  const { hostname, port } = new URL(testBed.address);
  const key = await testBed.secretKey();
  const head = (line: string, ...headers: string[]) =>
    [line, "host: site", `apikey: ${key}`, `authorization: Bearer ${key}`, ...headers, "", ""].join("\r\n");
  const file = `/storage/v1/object/${BUCKET}/${LARGE}`;
  const headers = { apikey: key, authorization: `Bearer ${key}`, "content-type": "text/plain" };
  const body = new Uint8Array(LARGE_BYTES);
  const stored = await fetch(testBed.address + file, { method: "POST", headers, body });
  if (!stored.ok) throw new Error(`the large file was not stored: ${await stored.text()}`);
  const kinds = [
    // A header that never ends.
    "GET /values HTTP/1.1\r\nhost: site\r\nx: ",
    // A body that never ends.
    head(`POST ${file}-slow HTTP/1.1`, "content-type: text/plain", "content-length: 100000"),
    head("POST /rest/v1/trade_history HTTP/1.1", "content-type: application/json", "content-length: 100000"),
    // Responses that are never read.
    head(`GET ${file} HTTP/1.1`),
    head("GET /live HTTP/1.1"),
    head(
      "GET /realtime/v1/websocket?vsn=1.0.0 HTTP/1.1",
      `x-api-key: ${key}`,
      "connection: Upgrade",
      "upgrade: websocket",
      "sec-websocket-version: 13",
      "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==",
    ),
  ];
  const sockets: Socket[] = [];
  for (const [index, text] of kinds.entries()) {
    for (let count = 0; count < OF_EACH; count++) {
      const socket = connect(Number(port), hostname).on("error", () => {});
      sockets.push(socket);
      await once(socket, "connect");
      socket.pause();
      socket.write(text);
      if (index < 3) setInterval(() => socket.writable && socket.write("1"), BYTE_EVERY_MS).unref();
    }
  }
  return async () => {
    for (const socket of sockets) socket.destroy();
    await fetch(testBed.address + file, { method: "DELETE", headers });
  };
}
