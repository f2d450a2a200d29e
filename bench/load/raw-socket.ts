import { connect } from "node:net";

/**
 * A websocket with minimal cost for the load generator: received data is passed on as bytes, and sent messages are
 * short.
 */
export type RawSocket = { send(text: string): void; close(): void };

const MASK = Buffer.alloc(4);
const TEXT = 0x81;
/** What was read last, by any socket. */
const received = Buffer.alloc(65_536);

/** Resolves when the server has accepted the upgrade; rejects if it refuses. */
export function openRawSocket(url: string, onText: (text: Buffer) => void): Promise<RawSocket> {
  const { hostname, port, pathname, search } = new URL(url);
  const frames = new FrameReader(onText);
  let take = (_chunk: Buffer): void => {};
  const socket = connect({
    port: Number(port),
    host: hostname,
    noDelay: true,
    // Otherwise 64 KiB would be allocated for each message.
    onread: {
      buffer: received,
      callback(length) {
        take(received.subarray(0, length));
        return true;
      },
    },
  });
  return new Promise((resolve, reject) => {
    let head: Buffer | null = Buffer.alloc(0);
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("the server closed the socket")));
    take = (chunk) => {
      if (head === null) return frames.read(chunk);
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf("\r\n\r\n");
      if (end < 0) return;
      if (!head.toString("latin1").startsWith("HTTP/1.1 101"))
        return reject(new Error(`no websocket: ${head.toString("latin1")}`));
      const rest = head.subarray(end + 4);
      head = null;
      resolve({ send: (text) => void socket.write(toFrame(text)), close: () => socket.destroy() });
      if (rest.length > 0) frames.read(rest);
    };
    socket.write(
      `GET ${pathname}${search} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nconnection: Upgrade\r\n` +
        "upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
    );
  });
}

/** A client's frame must be masked (RFC 6455 §5.3); a mask of zeros leaves it unchanged. */
function toFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const length =
    payload.length < 126
      ? Buffer.from([0x80 | payload.length])
      : Buffer.from([0x80 | 126, payload.length >> 8, payload.length & 255]);
  return Buffer.concat([Buffer.from([TEXT]), length, MASK, payload]);
}

class FrameReader {
  #pending: Buffer | null = null;
  readonly #onText: (text: Buffer) => void;

  constructor(onText: (text: Buffer) => void) {
    this.#onText = onText;
  }

  read(chunk: Buffer): void {
    let data = this.#pending ? Buffer.concat([this.#pending, chunk]) : chunk;
    for (let end = endOfFrame(data); end > 0 && end <= data.length; end = endOfFrame(data)) {
      if (data[0] === TEXT) this.#onText(data.subarray(startOfPayload(data), end));
      data = data.subarray(end);
    }
    this.#pending = data.length > 0 ? Buffer.from(data) : null;
  }
}

/** 0 while it is unknown. */
function endOfFrame(data: Buffer): number {
  const short = data[1] ?? 0;
  const start = startOfPayload(data);
  if (data.length < start) return 0;
  if (short < 126) return start + short;
  return start + (short === 126 ? data.readUInt16BE(2) : Number(data.readBigUInt64BE(2)));
}

function startOfPayload(data: Buffer): number {
  const short = data[1] ?? 0;
  if (short < 126) return 2;
  return short === 126 ? 4 : 10;
}
