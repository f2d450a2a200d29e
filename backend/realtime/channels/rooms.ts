import { getOrMake } from "#backend/memory/get-or-make.ts";
import { removeFrom } from "#backend/memory/remove-from.ts";
import { encodeBroadcast, encodeText } from "../protocol/encode-frame.ts";
import type { Frame, UserBroadcast, Version } from "../protocol/message.ts";

/** A channel, as its room sees it. */
export type Member = {
  /** As on the wire: `realtime:` and the name. */
  topic: string;
  version: Version;
  receivesBroadcasts: boolean;
  receivesPresence: boolean;
  /** Whether broadcasts are queued, or must be checked against the replayed ones. */
  isCatchingUp: boolean;
  catchUp(frame: Frame, id: string | undefined): void;
  send(frame: Frame): void;
};

/** The public and the private channel of the same name are separate rooms; nothing passes between them. */
export function roomOf(name: string, isPrivate: boolean): string {
  return `${isPrivate ? "private" : "public"}:${name}`;
}

/** The members of each room on this process. */
export class Rooms {
  readonly #members = new Map<string, Set<Member>>();

  enter(room: string, member: Member): void {
    getOrMake(this.#members, room, () => new Set()).add(member);
  }

  leave(room: string, member: Member): void {
    removeFrom(this.#members, room, member);
  }

  /** Sends a broadcast to everyone in the room but `except`. The frame is built once per protocol version. */
  broadcast(room: string, broadcast: UserBroadcast, except: Member | null = null): void {
    this.#sendToAll(room, (member) => member.receivesBroadcasts && member !== except, {
      encode: (version, topic) => encodeBroadcast(version, topic, broadcast),
      id: broadcast.meta?.id,
    });
  }

  /** Sends a presence diff, given as JSON. */
  broadcastPresence(room: string, diff: string): void {
    this.#sendToAll(room, (member) => member.receivesPresence, {
      encode: (version, topic) => encodeText(version, { topic, event: "presence_diff" }, diff),
    });
  }

  #sendToAll(
    room: string,
    hears: (member: Member) => boolean,
    { encode, id }: { encode: (version: Version, topic: string) => Frame | null; id?: string | undefined },
  ): void {
    const frames = new Map<Version, Frame | null>();
    for (const member of this.#members.get(room) ?? []) {
      if (!hears(member)) continue;
      let frame = frames.get(member.version);
      if (frame === undefined) {
        frame = encode(member.version, member.topic);
        frames.set(member.version, frame);
      }
      if (!frame) continue;
      if (member.isCatchingUp) member.catchUp(frame, id);
      else member.send(frame);
    }
  }
}
