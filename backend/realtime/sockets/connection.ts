import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { type LogText, logText, quoteScrubbed } from "#backend/log/log-text.ts";
import { RateWindow } from "#backend/memory/rate-window.ts";
import type { Identity } from "#backend/tokens/identity.ts";
import type { Channel } from "../channels/channel.ts";
import { decodeFrame } from "../protocol/decode-frame.ts";
import { encodeText } from "../protocol/encode-frame.ts";
import type { Frame, Message, Version } from "../protocol/message.ts";
import type { RealtimeConfig } from "../realtime-config.ts";

/** Handles one message; its promise is awaited before the connection's next message is handled. */
type MessageHandler = (connection: Connection, message: Message) => void | Promise<void>;

/** A client that was admitted. */
export type Admission = {
  version: Version;
  /** Identity of the API key that the socket was opened with. */
  identity: Identity;
  network: string;
};

/** Shared by all connections. */
export type ConnectionService = {
  config: RealtimeConfig;
  onMessage: MessageHandler;
  /** Called with a channel that exceeds its message rate. */
  onFlood: (channel: Channel) => void;
  /** Logs an event for the operator. */
  note: (what: LogText) => void;
};

/** `ws`'s ready state between the handshake and the first close frame. */
const OPEN: WebSocket["OPEN"] = 1;
// Close codes: RFC 6455 §7.4.1, and 1013 from the IANA registry.
export const CLOSE = { restart: 1012, badData: 1007, policy: 1008, failure: 1011, busy: 1013 } as const;

/** The socket is closed at this multiple of the message limit. */
const FLOOD = 3;
/** Buffered bytes that are normal for a client on an ordinary connection. */
const STALL_BYTES = 1_048_576;
/** How long a client may take to answer the close frame before it is disconnected. */
const CLOSE_TIMEOUT_MS = 1_000;
export const TOO_MANY = "Too many messages per second";

/** One client's socket: frames in and out, in order, within limits. */
export class Connection {
  readonly version: Version;
  readonly identity: Identity;
  readonly network: string;
  /** By topic, as on the wire. */
  readonly channels = new Map<string, Channel>();
  /** Channels whose join waits until their changes are streaming, by topic. */
  readonly waiting = new Map<string, Channel>();
  readonly joins: RateWindow;
  /** When the client last sent anything, from `performance.now()`, since the system clock may be changed. */
  lastSeen = performance.now();
  readonly #socket: WebSocket;
  readonly #wire: Duplex;
  readonly #events: RateWindow;
  readonly #service: ConnectionService;
  readonly #waiting: Message[] = [];
  #waitingBytes = 0;
  #busy = false;
  /** Bytes sent in total, bytes the client has read, and when it last read some. */
  #sent = 0;
  #taken = 0;
  #lastTaken = performance.now();

  /** `wire` is the stream that the socket writes to. */
  constructor(
    socket: WebSocket,
    wire: Duplex,
    { version, identity, network }: Admission,
    service: ConnectionService,
  ) {
    this.version = version;
    this.identity = identity;
    this.network = network;
    this.#socket = socket;
    this.#wire = wire;
    this.#service = service;
    this.#events = new RateWindow(service.config.maxEventsPerSecond);
    this.joins = new RateWindow(service.config.maxJoinsPerSecond);
    socket.on("message", (data: Buffer, binary) => this.#receive(data, binary));
    // A broken frame; `ws` has already closed the socket with the reason.
    socket.on("error", ignore);
  }

  /**
   * Sends a frame, or disconnects a client that does not read. The frame bypasses `ws`, which would prepend a header
   * for each client: no frame is compressed or fragmented, so the order is preserved.
   */
  send({ wire }: Frame): void {
    if (!this.isOpen) return;
    if (this.#wire.writableLength > this.#service.config.maxBufferedBytes) this.#cutOff();
    else {
      this.#sent += wire.length;
      this.#wire.write(wire);
    }
  }

  /** To be called at intervals: disconnects a client that reads nothing sooner than one that reads slowly. */
  requireProgress(now: number): void {
    const taken = this.#sent - this.#wire.writableLength;
    if (taken !== this.#taken || this.#wire.writableLength <= STALL_BYTES) {
      this.#taken = taken;
      this.#lastTaken = now;
    } else if (now - this.#lastTaken > this.#service.config.stalledTimeoutMs) this.#cutOff();
  }

  #cutOff(): void {
    this.#service.note(logText`a client that reads too slowly was disconnected`);
    this.terminate();
  }

  get isOpen(): boolean {
    return this.#socket.readyState === OPEN;
  }

  reply({ joinRef, ref, topic }: Message, status: "ok" | "error", response: unknown = {}): void {
    const head = { joinRef, ref, topic, event: "phx_reply" };
    this.send(encodeText(this.version, head, JSON.stringify({ status, response })));
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
    setTimeout(() => this.terminate(), CLOSE_TIMEOUT_MS).unref();
  }

  /** Without a close frame, for clients that do not read anyway. */
  terminate(): void {
    this.#socket.terminate();
  }

  #receive(data: Uint8Array, binary: boolean): void {
    if (!this.isOpen) return;
    this.lastSeen = performance.now();
    const message = decodeFrame(this.version, data, binary);
    if (!message) this.#refuse(CLOSE.badData, "The frame is not of this protocol");
    else if (!this.#events.take(this.lastSeen)) this.#refuseFlood(message);
    else if (message.topic === "phoenix") this.#answerHeartbeat(message);
    else if (this.#busy) this.#putAside(message, data.length);
    else this.#handle(message);
  }

  #answerHeartbeat(message: Message): void {
    if (message.event === "heartbeat") this.reply(message, "ok");
  }

  /** Queues a message. Beyond one frame's worth, the socket is paused until the queue is processed. */
  #putAside(message: Message, bytes: number): void {
    this.#waiting.push(message);
    this.#waitingBytes += bytes;
    if (this.#waitingBytes > this.#service.config.maxPayloadBytes) this.#socket.pause();
  }

  /** Closes the channel the first time within a second, and the socket if the flood continues. */
  #refuseFlood(message: Message): void {
    const channel = this.channels.get(message.topic);
    if (this.#events.count > FLOOD * this.#service.config.maxEventsPerSecond)
      this.#refuse(CLOSE.policy, TOO_MANY);
    else if (channel) this.#service.onFlood(channel);
    else this.reply(message, "error", { reason: TOO_MANY });
  }

  #refuse(code: number, reason: string): void {
    this.#service.note(logText`a client was disconnected: ${quoteScrubbed(reason)}`);
    this.close(code, reason);
  }

  #fail(cause: unknown): void {
    this.#service.note(logText`a message could not be handled (${quoteScrubbed((cause as Error).message)})`);
    this.close(CLOSE.failure, "The message could not be handled");
  }

  #readOn(): void {
    this.#waitingBytes = 0;
    if (this.#socket.isPaused) this.#socket.resume();
  }

  #handle(message: Message): void {
    try {
      const work = this.#service.onMessage(this, message);
      if (work) void this.#waitFor(work);
    } catch (cause) {
      this.#fail(cause);
    }
  }

  async #waitFor(work: Promise<void>): Promise<void> {
    this.#busy = true;
    try {
      await work;
    } catch (cause) {
      this.#fail(cause);
    }
    this.#busy = false;
    while (!this.#busy) {
      const next = this.#waiting.shift();
      if (!next) return this.#readOn();
      this.#handle(next);
    }
  }
}

function ignore(): void {}
