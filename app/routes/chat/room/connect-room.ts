import type { RealtimeChannel } from "@supabase/supabase-js";
import type { Client } from "#app/features/site/client.ts";
import { type ChatMessage, type MessageRow, type Reaction, toChatMessage } from "./chat-message.ts";
import { type ConnectionWatch, watchConnection } from "./watch-connection.ts";

/** State of the live connection; `connecting` until it is established for the first time. */
export type Connection = "connecting" | "connected" | "reconnecting";

export type RoomEvents = {
  /** Called with `connected` once messages can be sent again too. */
  connection(connection: Connection): void;
  /** From now on every change is delivered; earlier changes must be read. */
  listening(): void;
  arrived(message: ChatMessage): void;
  removed(id: string): void;
  /** A name was taken away, in or in front of this message. */
  renamed(message: ChatMessage): void;
  /** Someone added or removed a reaction. */
  reacted(reaction: Reaction, isThere: boolean): void;
  /** The ids of the people in the room, without duplicates. */
  present(userIds: string[]): void;
};

/** Delay before a permanently closed channel is reopened, in milliseconds. */
const REOPEN_AFTER = 2000;
const USER_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A channel can be reopened only after the one of the same name has been removed. */
let leaving: Promise<unknown> = Promise.resolve();

/** Subscribes to the room until the returned function is called. The client reconnects and rejoins by itself. */
export function connectRoom(client: Client, userId: string, events: RoomEvents): () => void {
  let current: RealtimeChannel | undefined;
  let reopening: ReturnType<typeof setTimeout> | undefined;
  let isLeft = false;
  const line = watchConnection(client, {
    lost: () => events.connection("reconnecting"),
    back: () => events.connection("connected"),
  });

  async function open() {
    await leaving;
    if (isLeft) return;
    const channel = listen(client, userId, events, line);
    current = channel;
    channel.subscribe((status) => {
      if (channel !== current) return;
      if (status === "SUBSCRIBED") return welcome(channel);
      line.stop();
      events.connection("reconnecting");
      if (status === "CLOSED") reopenLater();
    });
  }

  function welcome(channel: RealtimeChannel) {
    handleEvents(events, line);
    void channel.track({});
  }

  function reopenLater() {
    current = undefined;
    reopening = setTimeout(open, REOPEN_AFTER);
  }

  // The client does not listen to it. If the connection survives, the next answer says so.
  addEventListener("offline", line.lose);
  void open();
  return () => {
    isLeft = true;
    removeEventListener("offline", line.lose);
    clearTimeout(reopening);
    line.end();
    const last = current;
    current = undefined;
    if (last) leaving = client.removeChannel(last);
  };
}

function listen(client: Client, userId: string, events: RoomEvents, line: ConnectionWatch): RealtimeChannel {
  const channel = client.channel("chat", { config: { private: true, presence: { key: userId } } });
  const table = { schema: "public", table: "chat_messages" } as const;
  const reactions = { schema: "public", table: "chat_reactions" } as const;
  return channel
    .on("postgres_changes", { event: "INSERT", ...table }, (change) => {
      line.heard();
      events.arrived(toChatMessage(change.new as MessageRow));
    })
    .on("postgres_changes", { event: "UPDATE", ...table }, (change) => {
      line.heard();
      events.renamed(toChatMessage(change.new as MessageRow));
    })
    .on("postgres_changes", { event: "DELETE", ...table }, (change) => {
      line.heard();
      events.removed(change.old.id);
    })
    .on("postgres_changes", { event: "INSERT", ...reactions }, (change) => {
      line.heard();
      events.reacted(change.new as Reaction, true);
    })
    .on("postgres_changes", { event: "DELETE", ...reactions }, (change) => {
      line.heard();
      events.reacted(change.old as Reaction, false);
    })
    .on("presence", { event: "sync" }, () => {
      line.heard();
      // Presence keys are chosen by clients: only ids are used, and names come from the database.
      events.present(Object.keys(channel.presenceState()).filter((key) => USER_ID.test(key)));
    })
    .on("system", {}, ({ extension, status }: { extension: string; status: string }) => {
      if (extension !== "postgres_changes") return;
      if (status === "ok") return handleEvents(events, line);
      line.stop();
      events.connection("reconnecting");
    });
}

function handleEvents(events: RoomEvents, line: ConnectionWatch) {
  line.start();
  events.connection("connected");
  events.listening();
}
