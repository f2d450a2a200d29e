import { useEffect, useState } from "react";
import { type Mute, mutePerson, readMutes, unmutePerson } from "#app/features/chat/people-queries.ts";
import type { Room } from "#app/features/chat/room.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { showToast } from "#app/ui/toast-store.ts";
import { showCallFailure } from "./show-call-failure.ts";

export type Mutes = {
  list: readonly Mute[];
  mute(userId: string, username: string): Promise<void>;
  unmute(mute: Mute): Promise<void>;
};

/** Whom this person muted. Their messages go at once and come back when they are unmuted; the database hides them too. */
export function useMutes(client: SessionClient, userId: string, room: Room): Mutes {
  const [list, setList] = useState<readonly Mute[]>([]);

  useEffect(() => {
    // Without an answer nothing is shown that should not be: the database leaves the muted ones out by itself.
    readMutes(client).then(setList, () => undefined);
  }, [client]);
  useEffect(() => room.mute(new Set(list.map((each) => each.userId))), [room, list]);

  async function mute(mutedId: string, username: string) {
    const { error } = await mutePerson(client, userId, mutedId);
    if (error) return showCallFailure(error);
    setList((before) => [
      { userId: mutedId, username, since: new Date().toISOString() },
      ...before.filter((each) => each.userId !== mutedId),
    ]);
    showToast({
      title: `${username} is muted`,
      description: "You no longer see their messages. They are not told.",
    });
  }

  async function unmute({ userId: mutedId, username }: Mute) {
    const { error } = await unmutePerson(client, mutedId);
    if (error) return showCallFailure(error);
    setList((before) => before.filter((each) => each.userId !== mutedId));
    room.refresh();
    showToast({ title: `${username ?? "This trader"} is no longer muted` });
  }

  return { list, mute, unmute };
}
