import type { RealtimeChannel } from "@supabase/supabase-js";
import type { Client } from "#app/features/site/client.ts";
import { type ChatMessage, type MessageRow, type Reaction, toChatMessage } from "./chat-message.ts";
import { type LineWatch, watchLine } from "./watch-line.ts";

/** How the room hears of others. `connecting` until it does for the first time. */
export type Connection = "connecting" | "connected" | "reconnecting";

export type RoomEvents = {
  /** When it is `connected`, what is sent arrives again too. */
  connection(connection: Connection): void;
  /** From now on every change arrives; what changed before must be read. */
  listening(): void;
  arrived(message: ChatMessage): void;
  removed(id: string): void;
  /** Somebody reacted, or took it back. */
  reacted(reaction: Reaction, isThere: boolean): void;
  /** The ids of the people who are here, each once. */
  present(userIds: string[]): void;
};

/** After a channel was closed for good it is opened anew, in milliseconds. */
const REOPEN_AFTER = 2000;
const USER_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A channel can be opened again only when the one of the same name is gone. */
let leaving: Promise<unknown> = Promise.resolve();

/** Follows the room until the returned function is called. The client reconnects and joins again by itself. */
export function connectRoom(client: Client, userId: string, events: RoomEvents): () => void {
  let current: RealtimeChannel | undefined;
  let reopening: ReturnType<typeof setTimeout> | undefined;
  let isLeft = false;
  const line = watchLine(client, {
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
    hear(events, line);
    void channel.track({});
  }

  function reopenLater() {
    current = undefined;
    reopening = setTimeout(open, REOPEN_AFTER);
  }

  // When the network is back the client connects anew, and the channel joins again.
  const goOffline = () => events.connection("reconnecting");
  addEventListener("offline", goOffline);
  void open();
  return () => {
    isLeft = true;
    removeEventListener("offline", goOffline);
    clearTimeout(reopening);
    line.end();
    const last = current;
    current = undefined;
    if (last) leaving = client.removeChannel(last);
  };
}

function listen(client: Client, userId: string, events: RoomEvents, line: LineWatch): RealtimeChannel {
  const channel = client.channel("chat", { config: { private: true, presence: { key: userId } } });
  const table = { schema: "public", table: "chat_messages" } as const;
  const reactions = { schema: "public", table: "chat_reactions" } as const;
  return channel
    .on("postgres_changes", { event: "INSERT", ...table }, (change) => {
      line.heard();
      events.arrived(toChatMessage(change.new as MessageRow));
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
      // Keys are what the clients say they are: only ids count, and names come from the database.
      events.present(Object.keys(channel.presenceState()).filter((key) => USER_ID.test(key)));
    })
    .on("system", {}, ({ extension, status }: { extension: string; status: string }) => {
      if (extension !== "postgres_changes") return;
      if (status === "ok") return hear(events, line);
      line.stop();
      events.connection("reconnecting");
    });
}

function hear(events: RoomEvents, line: LineWatch) {
  line.start();
  events.connection("connected");
  events.listening();
}
