import type { SessionClient } from "#app/features/session/session-client.ts";
import { siteNow } from "#app/features/site/site-clock.ts";
import { type CallError, describeFailure } from "#app/routes/chat/room/describe-failure.ts";
import { type Mute, type Mutes, mutePerson, unmutePerson } from "#app/routes/chat/room/people-queries.ts";
import type { Room } from "#app/routes/chat/room/room.ts";
import { showError, showToast } from "#app/ui/toast/toast-store.ts";

export type Muting = {
  list: readonly Mute[];
  /** Whether it worked; if not, why is shown. */
  mute(userId: string, username: string): Promise<boolean>;
  unmute(mute: Mute): Promise<void>;
};

/** The people this user muted. Their messages are hidden at once and return when they are unmuted. */
export function useMutes(client: SessionClient, userId: string, room: Room, muted: Mutes): Muting {
  async function mute(mutedId: string, username: string) {
    const { error } = await mutePerson(client, userId, mutedId);
    if (error) {
      showCallFailure(room, error);
      return false;
    }
    const { muted: before } = room.current();
    const added: Mute = { userId: mutedId, username, since: new Date(siteNow()).toISOString() };
    room.mute(new Map([[mutedId, added], ...before]));
    showToast({
      title: `${username} is muted`,
      description: "You no longer see their messages. They are not told.",
    });
    return true;
  }

  async function unmute({ userId: mutedId, username }: Mute) {
    const { error } = await unmutePerson(client, mutedId);
    if (error) return showCallFailure(room, error);
    const { muted: before } = room.current();
    room.mute(new Map([...before].filter(([id]) => id !== mutedId)));
    room.refresh();
    showToast({ title: `${username ?? "This trader"} is no longer muted` });
  }

  return { list: [...muted.values()], mute, unmute };
}

/** Shows why an action failed, and who is muted: only the answer may have been lost. */
function showCallFailure(room: Room, error: CallError): void {
  const { sentence } = describeFailure(error, performance.now());
  showError(sentence);
  room.refresh();
}
