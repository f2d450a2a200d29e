import { createClient } from "@supabase/supabase-js";
import { withTimeout } from "#app/features/session/with-timeout.ts";
import { createRoom, type Room } from "#app/routes/chat/room/room.ts";
import type { Database } from "#supabase/database.types.ts";
import type { Message } from "./answer-backend.ts";
import type { ChatDatabase, Stored } from "./chat-database.ts";
import { type ChatServer, ClientSocket, Link, tokenOf } from "./chat-server.ts";
import { Actor, type World } from "./world.ts";

/** What can happen to a request in transit. */
export type Weather = { dropped: number; doubled: number; late: number };
export const FAIR: Weather = { dropped: 0, doubled: 0, late: 0 };

type Surroundings = {
  world: World;
  database: ChatDatabase;
  weather(): Weather;
  /** The process that takes the next connection. */
  nextServer(): ChatServer;
};

/** A tab with the chat open: the site's own room on the official client. */
export class ChatTab {
  readonly actor: Actor;
  readonly person: string;
  room!: Room;
  /** Leaves the room, as when navigating to another page. */
  leave = () => {};
  readonly #around: Surroundings;
  readonly links = new Set<Link>();

  constructor(around: Surroundings, person: string, name: string) {
    this.actor = new Actor(name);
    this.person = person;
    this.#around = around;
    around.world.schedule(this.actor, 1, "open", () => this.#open());
  }

  #open(): void {
    const tab = this;
    const { world, nextServer } = this.#around;
    class Transport extends ClientSocket {
      constructor(url: string) {
        super();
        this.link = new Link(world, tab.actor, nextServer(), this, url);
        tab.links.add(this.link);
      }
    }
    const client = createClient<Database>("http://site.test", "key", {
      accessToken: async () => tokenOf(this.person),
      global: { fetch: withTimeout((url, init) => this.#fetch(String(url), init) as Promise<Response>) },
      realtime: { transport: Transport as never },
    });
    this.room = createRoom(client, { id: this.person, username: () => this.person });
    this.leave = this.room.enter();
  }

  /** Requests and responses are reordered, lost and duplicated. */
  #fetch(url: string, { method = "GET", body, signal }: RequestInit = {}): Promise<object> {
    const { world, database, weather } = this.#around;
    return new Promise((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason));
      const { dropped, doubled, late } = weather();
      const delay = () => (world.chance(late) ? world.between(1_000, 20_000) : world.delay());
      const answer = (reply: Reply) => {
        if (!world.chance(dropped))
          world.schedule(this.actor, delay(), "answer", () => resolve(asResponse(reply)));
        else if (world.chance(0.5))
          world.schedule(this.actor, delay(), "no answer", () => reject(new TypeError("Failed to fetch")));
      };
      const arrive = () =>
        world.schedule(database.actor, delay(), "request", () =>
          this.#serve(new URL(url), method, String(body), answer),
        );
      if (!world.chance(dropped)) arrive();
      else world.schedule(this.actor, delay(), "no way", () => reject(new TypeError("Failed to fetch")));
      if (world.chance(doubled)) arrive();
    });
  }

  #serve(url: URL, method: string, body: string, answer: (reply: Reply) => void): unknown {
    const { database } = this.#around;
    if (!database.isUp) return answer({ status: 503, body: { code: "PGRST001", message: "away" } });
    if (method === "POST") {
      const { id, user_id, username, message } = JSON.parse(body) as Message;
      return database.insert({ id, user_id, username, message }, (stored) => answer(replyTo(stored)));
    }
    if (method === "DELETE") {
      const id = url.searchParams.get("id")?.slice("eq.".length) ?? "";
      return answer({ status: 200, body: database.remove(this.person, id) ? [{ id }] : [] });
    }
    if (!url.pathname.endsWith("/shown_chat_messages")) return answer({ status: 200, body: [] });
    const from = url.searchParams.get("created_at")?.slice("gte.".length) ?? "";
    const rows = database.seenBy(this.person).filter(({ created_at }) => created_at >= from);
    const limit = Number(url.searchParams.get("limit"));
    return answer({ status: 200, body: rows.slice(-limit).reverse() });
  }
}

type Reply = { status: number; body: unknown };

function replyTo(stored: Stored): Reply {
  if (stored.status === 201) return { status: 201, body: stored.message };
  return { status: stored.status, body: { code: stored.code, message: "no", hint: stored.hint } };
}

/** The part of a response that the official client reads, available at once. */
const asResponse = ({ status, body }: Reply) => ({
  ok: status < 300,
  status,
  statusText: "",
  headers: new Headers(),
  text: async () => JSON.stringify(body),
});
