import type { Client } from "#app/features/site/client.ts";
import { LIMITS } from "#domain/text/limits.ts";
import type { ChatMessage, Reaction } from "./chat-message.ts";
import { deleteMessage, react, readMessages, STORED_ALREADY } from "./chat-queries.ts";
import { connectRoom } from "./connect-room.ts";
import { createDeliver, type Writer } from "./deliver.ts";
import { callSafely, describeFailure, type Failure } from "./describe-failure.ts";
import { keepText } from "./kept-text.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import { type Face, type Mutes, readFaces } from "./people-queries.ts";
import { createRoomReads, type RoomReads } from "./room-reads.ts";
import { createRoomStore, type RoomStore } from "./room-store.ts";

export type Room = Pick<RoomStore, "current" | "subscribe"> &
  Pick<Outbox, "send" | "retry" | "discard"> &
  Pick<RoomReads, "refresh" | "readOlder"> & {
    /** While the reader follows the newest messages: a list that has grown long loses its oldest. */
    shorten(): void;
    /** Enters the room; the returned function leaves it. */
    enter(): () => void;
    /** Deletes a message for everyone; resolves to why it failed, or null. */
    remove(id: string): Promise<Failure | null>;
    /** Adds or removes a reaction of this user; resolves to why it failed, or null. */
    react(messageId: string, emoji: string, isThere: boolean): Promise<Failure | null>;
    /** Quoted messages that are not in the room's list; deleted ones are missing. */
    readMessages(ids: readonly string[]): Promise<ChatMessage[]>;
    /** How writers appear; those with neither a picture nor a page are missing. */
    readFaces(people: readonly string[]): Promise<ReadonlyMap<string, Face>>;
    /** Hides these people's messages, here and in this user's other tabs. */
    mute(muted: Mutes): void;
  };

/** Polling interval while there is no live connection, in milliseconds. */
const POLL = 5000;

/** A list of more than MOST messages is shortened to KEPT: "Load older messages" brings back the others. */
const MOST = 4 * LIMITS.chat.history;
const KEPT = 2 * LIMITS.chat.history;

/** The channel on which this user's tabs share mutes and unmutes. */
const TABS = "chat mutes";

const NOT_THERE: Failure = { sentence: "It’s already gone, or it isn’t yours to delete.", kind: "refused" };

/** The room for one signed-in user, who is present from `enter` on. */
export function createRoom(client: Client, writer: Writer): Room {
  const store = createRoomStore();
  const { current, subscribe, change, show } = store;
  const reads = createRoomReads(client, store);
  const outbox = createOutbox(createDeliver(client, store, reads, writer), store, keepText(writer.id));
  let notifyTabs = () => {};

  function enter() {
    const leave = connectRoom(client, writer.id, {
      connection: (connection) => {
        show({ connection });
        if (connection === "connected") outbox.resume();
      },
      listening: reads.refresh,
      arrived: (message) => change({ type: "arrived", message }),
      removed: (id) => change({ type: "removed", id }),
      renamed: (message) => change({ type: "renamed", message }),
      reacted: (reaction, isThere) => change({ type: "reacted", reaction, isThere }),
      present: (here) => show({ here }),
    });
    const close = outbox.open();
    const tabs = new BroadcastChannel(TABS);
    tabs.onmessage = reads.refresh;
    notifyTabs = () => tabs.postMessage(null);
    const sleep = watchAwakening(reads.refresh);
    const polling = setInterval(poll, POLL);
    reads.refresh();
    return () => {
      for (const end of [leave, close, sleep, reads.stop]) end();
      notifyTabs = () => {};
      tabs.close();
      clearInterval(polling);
    };
  }

  function mute(muted: Mutes) {
    change({ type: "muted", muted });
    notifyTabs();
  }

  function shorten() {
    if (current().messages.length > MOST) change({ type: "shortened", to: KEPT });
  }

  function poll() {
    if (current().connection !== "connected" && current().read === null) reads.refresh();
  }

  async function remove(id: string): Promise<Failure | null> {
    const { data, error } = await callSafely(() => deleteMessage(client, id));
    if (error) return describeFailure(error, performance.now());
    if (data?.length !== 0) {
      change({ type: "removed", id });
      return null;
    }
    reads.refresh();
    return NOT_THERE;
  }

  /** Optimistic; the live feed's later event changes nothing. */
  async function toggle(messageId: string, emoji: string, isThere: boolean): Promise<Failure | null> {
    const reaction: Reaction = { message_id: messageId, emoji, user_id: writer.id };
    const find = () => current().messages.find(({ id }) => id === messageId);
    const before = find();
    change({ type: "reacted", reaction, isThere });
    const isNew = find() !== before;
    const { error } = await callSafely(() => react(client, reaction, isThere));
    if (!error || error.code === STORED_ALREADY) return null;
    // A reaction given before, or taken back before, stays so.
    if (isNew) change({ type: "reacted", reaction, isThere: !isThere });
    return describeFailure(error, performance.now());
  }

  return {
    current,
    subscribe,
    enter,
    send: outbox.send,
    retry: outbox.retry,
    discard: outbox.discard,
    remove,
    react: toggle,
    readMessages: (ids) => readMessages(client, ids),
    readFaces: (people) => readFaces(client, people),
    refresh: reads.refresh,
    readOlder: reads.readOlder,
    mute,
    shorten,
  };
}

/** Calls back when this tab may have missed events: it becomes visible again, or the network returns. */
function watchAwakening(wake: () => void): () => void {
  const look = () => document.visibilityState === "visible" && wake();
  document.addEventListener("visibilitychange", look);
  window.addEventListener("online", wake);
  window.addEventListener("pageshow", look);
  return () => {
    document.removeEventListener("visibilitychange", look);
    window.removeEventListener("online", wake);
    window.removeEventListener("pageshow", look);
  };
}
