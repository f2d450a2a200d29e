import { EventEmitter } from "node:events";
import { SINGLE_PROCESS } from "#backend/memory/process-group.ts";
import { createRealtime, type Realtime } from "#backend/realtime/create-realtime.ts";
import { type Identity, toIdentity } from "#backend/tokens/identity.ts";
import type { ChatDatabase } from "./chat-database.ts";
import { Actor, type World } from "./world.ts";

/** A process that serves sockets; after a kill, a restart makes a new one. */
export class ChatServer {
  readonly actor: Actor;
  readonly links = new Set<Link>();
  realtime!: Realtime;

  constructor(world: World, database: ChatDatabase, name: string) {
    this.actor = new Actor(name);
    world.schedule(this.actor, 1, "start", () => {
      this.realtime = createRealtime({
        database: database.databaseFor(this.actor),
        verifier: {
          verify: async (token) => identityOf(token),
          verifyKnown: identityOf,
          standing: () => "good",
          isBanned: () => false,
          use: () => ({ found: 0, verified: 0, dropped: 0 }),
        },
        processGroup: { ...SINGLE_PROCESS, isLeader: false },
        publication: "supabase_realtime",
        isFollowing: () => true,
      });
      database.follow(this.actor, this.realtime.onChange, () => this.realtime.onGap(null));
    });
  }
}

export const tokenOf = (person: string) => `token.${person}.`;

function identityOf(token: string | null | undefined): Identity {
  const [, person] = token?.split(".") ?? [];
  return person ? toIdentity("authenticated", { sub: person }) : toIdentity("anon", {});
}

/** A socket between a tab and a process: ordered and lossless until it breaks. */
export class Link {
  readonly #world: World;
  readonly #tab: Actor;
  readonly #server: ChatServer;
  readonly #client: ClientSocket;
  readonly #socket = new ServerSocket(this);
  /** No data arrives any more, whether or not the two ends know. */
  isCut = false;
  #lastDown = 0;
  #lastUp = 0;

  constructor(world: World, tab: Actor, server: ChatServer, client: ClientSocket, url: string) {
    [this.#world, this.#tab, this.#server, this.#client] = [world, tab, server, client];
    if (server.actor.isAlive) this.#connect(url);
    else this.#breakFor("client", world.delay());
  }

  #connect(url: string): void {
    const [client, server] = [this.#client, this.#server];
    server.links.add(this);
    this.#up("connect", () => {
      const version = new URL(url).searchParams.get("vsn") === "2.0.0" ? "2.0.0" : "1.0.0";
      const identity = identityOf(null);
      const wire = {
        writableLength: 0,
        write: (frame: Buffer) => this.#down("frame", () => client.hear(frame)),
      };
      server.realtime.accept(this.#socket as never, wire as never, { version, identity, network: "" });
      this.#down("open", () => client.open());
    });
  }

  /** Called by the tab. */
  say(text: string): void {
    this.#up("frame", () => void this.#socket.emit("message", Buffer.from(text), false));
  }

  hangUp(by: "client" | "server", code: number): void {
    if (by === "client") {
      this.#up("hang up", () => this.#socket.end());
      this.#world.schedule(this.#tab, this.isCut ? 5_000 : this.#world.delay(), "closed", () =>
        this.#client.end(code),
      );
    } else {
      this.#down("hang up", () => this.#client.end(code));
      this.#world.schedule(this.#server.actor, this.#world.delay(), "closed", () => this.#socket.end());
    }
  }

  /** Data in flight is lost. Each end learns of it separately, or if silent only after many seconds. */
  cut(isSilent: boolean): void {
    if (this.isCut) return;
    this.isCut = true;
    this.#server.links.delete(this);
    for (const side of ["client", "server"] as const)
      this.#breakFor(side, isSilent ? this.#world.between(8_000, 30_000) : this.#world.delay());
  }

  #breakFor(side: "client" | "server", after: number): void {
    if (side === "client") this.#world.schedule(this.#tab, after, "broken", () => this.#client.end(1006));
    else this.#world.schedule(this.#server.actor, after, "broken", () => this.#socket.end());
  }

  #up(what: string, act: () => void): void {
    this.#lastUp = Math.max(this.#lastUp, this.#world.now + this.#world.delay());
    this.#world.schedule(this.#server.actor, this.#lastUp - this.#world.now, what, () => this.isCut || act());
  }

  #down(what: string, act: () => void): void {
    this.#lastDown = Math.max(this.#lastDown, this.#world.now + this.#world.delay());
    this.#world.schedule(this.#tab, this.#lastDown - this.#world.now, what, () => this.isCut || act());
  }
}

/** The part of a `ws` socket that the backend uses. */
class ServerSocket extends EventEmitter {
  readyState = 1;
  isPaused = false;
  readonly #link: Link;

  constructor(link: Link) {
    super();
    this.#link = link;
  }

  pause() {}
  resume() {}

  close(code: number): void {
    if (this.readyState !== 1) return;
    this.readyState = 2;
    this.#link.hangUp("server", code);
  }

  terminate(): void {
    if (this.readyState === 3) return;
    this.#link.cut(false);
  }

  end(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.emit("close");
  }
}

/** The part of a browser's WebSocket that the official client uses. */
export class ClientSocket {
  readyState = 0;
  bufferedAmount = 0;
  onopen: (event: object) => void = () => {};
  onerror: (event: object) => void = () => {};
  onmessage: (event: object) => void = () => {};
  onclose: (event: object) => void = () => {};
  link: Link | null = null;

  send(text: string): void {
    if (this.readyState === 1) this.link?.say(text);
  }

  close(code = 1000): void {
    if (this.readyState > 1) return;
    this.readyState = 2;
    this.link?.hangUp("client", code);
  }

  open(): void {
    if (this.readyState !== 0) return;
    this.readyState = 1;
    this.onopen({});
  }

  /** A frame as the backend writes it: complete, unmasked, text. */
  hear(frame: Buffer): void {
    if (this.readyState !== 1) return;
    const size = frame[1] as number;
    const head = size < 126 ? 2 : size === 126 ? 4 : 10;
    this.onmessage({ data: frame.subarray(head).toString() });
  }

  end(code: number): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.onclose({ code, reason: "", wasClean: code !== 1006 });
  }
}
