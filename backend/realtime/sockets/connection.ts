import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { quoteScrubbed, type Sentence, sentence } from "#backend/log/sentence.ts";
import { RateWindow } from "#backend/memory/rate-window.ts";
import type { Identity } from "#backend/tokens/identity.ts";
import type { Channel } from "../channels/channel.ts";
import { decodeFrame } from "../protocol/decode-frame.ts";
import { encodeText } from "../protocol/encode-frame.ts";
import type { Frame, Message, Version } from "../protocol/message.ts";
import type { RealtimeConfig } from "../realtime-config.ts";

/** Answers one message; what it returns is awaited before the next one of the same connection is looked at. */
type MessageHandler = (connection: Connection, message: Message) => void | Promise<void>;

/** A client that was let in. */
export type Admission = {
  version: Version;
  /** Of the API key that the socket was opened with. */
  identity: Identity;
  network: string;
};

/** What all connections have in common. */
export type ConnectionService = {
  config: RealtimeConfig;
  onMessage: MessageHandler;
  /** A channel that more was sent to than is allowed. */
  onFlood: (channel: Channel) => void;
  /** What an operator may want to know. */
  note: (what: Sentence) => void;
};

/** What `ws` calls a socket's state between the handshake and the first good-bye. */
const OPEN: WebSocket["OPEN"] = 1;
// RFC 6455 §7.4.1, and 1013 of the IANA registry.
export const CLOSE = { restart: 1012, badData: 1007, policy: 1008, failure: 1011, busy: 1013 } as const;

/** How many times the limit a client may exceed before its socket is closed. */
const FLOOD = 3;
/** Bytes that wait for a client with an ordinary line now and then. */
const STALL_BYTES = 1_048_576;
/** How long a client may take to answer a good-bye before it is cut off. */
const CLOSE_TIMEOUT_MS = 1_000;
export const TOO_MANY = "Too many messages per second";

/** One client's socket: frames in and out, in order, within limits. */
export class Connection {
  readonly version: Version;
  readonly identity: Identity;
  readonly network: string;
  /** By topic, as on the wire. */
  readonly channels = new Map<string, Channel>();
  readonly joins: RateWindow;
  /** When the client last sent anything, by `performance.now()`: the system's clock may be set meanwhile. */
  lastSeen = performance.now();
  readonly #socket: WebSocket;
  readonly #wire: Duplex;
  readonly #events: RateWindow;
  readonly #service: ConnectionService;
  readonly #waiting: Message[] = [];
  #waitingBytes = 0;
  #busy = false;
  /** Bytes that were ever sent, those of them that the client took, and when it last took some. */
  #sent = 0;
  #taken = 0;
  #lastTaken = performance.now();

  /** `wire` is what the socket writes to. */
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
    // A broken frame: `ws` has closed the socket with its reason already.
    socket.on("error", ignore);
  }

  /**
   * Sends, or cuts off a client that does not read what it was sent. The frame goes out as it is, past `ws`, which would
   * put a head of its own before it for each client: nothing of ours is compressed or in parts, so the order stays.
   */
  send({ wire }: Frame): void {
    if (!this.isOpen) return;
    if (this.#wire.writableLength > this.#service.config.maxBufferedBytes) this.#cutOff();
    else {
      this.#sent += wire.length;
      this.#wire.write(wire);
    }
  }

  /** To be called at intervals: closes a client that reads nothing sooner than one that reads slowly. */
  requireProgress(now: number): void {
    const taken = this.#sent - this.#wire.writableLength;
    if (taken !== this.#taken || this.#wire.writableLength <= STALL_BYTES) {
      this.#taken = taken;
      this.#lastTaken = now;
    } else if (now - this.#lastTaken > this.#service.config.stalledTimeoutMs) this.#cutOff();
  }

  #cutOff(): void {
    this.#service.note(sentence`a client that reads too slowly was cut off`);
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

  /** At once, without a word: for clients that do not listen anyway. */
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

  /** Beyond a frame's worth the network holds the rest, until what waits is done. */
  #putAside(message: Message, bytes: number): void {
    this.#waiting.push(message);
    this.#waitingBytes += bytes;
    if (this.#waitingBytes > this.#service.config.maxPayloadBytes) this.#socket.pause();
  }

  /** Closes the channel the first time within a second, and the socket if the flood goes on. */
  #refuseFlood(message: Message): void {
    const channel = this.channels.get(message.topic);
    if (this.#events.count > FLOOD * this.#service.config.maxEventsPerSecond)
      this.#refuse(CLOSE.policy, TOO_MANY);
    else if (channel) this.#service.onFlood(channel);
    else this.reply(message, "error", { reason: TOO_MANY });
  }

  #refuse(code: number, reason: string): void {
    this.#service.note(sentence`a client was cut off: ${quoteScrubbed(reason)}`);
    this.close(code, reason);
  }

  #fail(cause: unknown): void {
    this.#service.note(sentence`a message could not be handled (${quoteScrubbed((cause as Error).message)})`);
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
