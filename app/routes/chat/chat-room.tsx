import "./compose/compose.css";
import "./messages/messages.css";
import "./quick/quick.css";
import { use, useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { flushSync } from "react-dom";
import { AgeDialog } from "#app/features/age/age-dialog.tsx";
import { useStanding } from "#app/features/age/use-standing.ts";
import { VoiceNotice } from "#app/features/age/voice-notice.tsx";
import { followCatalogue } from "#app/features/items/use-live-catalogue.ts";
import { ForcedName } from "#app/features/profile/forced-name.tsx";
import { readOwnProfile } from "#app/features/profile/profile-queries.ts";
import { openSession } from "#app/features/session/open-session.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { useOwnRead } from "#app/features/session/use-own-read.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { siteNow } from "#app/features/site/site-clock.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import type { Connection } from "#app/routes/chat/room/connect-room.ts";
import type { Failure } from "#app/routes/chat/room/describe-failure.ts";
import { type KeptText, keepText } from "#app/routes/chat/room/kept-text.ts";
import { createRoom, type Room } from "#app/routes/chat/room/room.ts";
import type { RoomView } from "#app/routes/chat/room/room-store.ts";
import { Button } from "#app/ui/button.tsx";
import { useAddress } from "./compose/use-address.ts";
import { Writing } from "./compose/writing.tsx";
import { ChatDialogs, type OpenDialog } from "./dialogs/chat-dialogs.tsx";
import { useMutes } from "./dialogs/use-mutes.ts";
import { Announcer } from "./messages/announcer.tsx";
import { MessageList } from "./messages/message-list.tsx";
import { type ChatItems, readItems } from "./quick/quick-reads.ts";
import { SafetyRules } from "./safety-rules.tsx";
import { settle, settleReaction } from "./settle.ts";
import { useSeenHeight } from "./use-seen-height.ts";

/** The chat page (2.chat): messages, people present and the composer. */
export default function ChatRoom({ userId }: { userId: string }) {
  const { client, room, view } = useRoom(userId);
  const mutes = useMutes(client, userId, room, view.muted);
  const isModerator = useSession().isModerator === true;
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [kept] = useState(() => keepText(userId));
  const [draft, changeDraft] = useDraft(kept);
  const { own, refresh } = useStanding();
  const mayTry = !own || own.standing === "free" || own.standing === "unasked";
  const { address: chosen, setAddress, restore } = useAddress(client, room, view, kept);
  // Otherwise a reply to a message deleted meanwhile would be sent as a plain message.
  const isAnswerGone = chosen.reply !== null && view.gone.has(chosen.reply.id);
  const address = isAnswerGone ? { ...chosen, reply: null } : chosen;
  const [isChoosing, setChoosing] = useState(false);
  const needsItems = isChoosing || view.messages.some((each) => each.trade || each.items);
  const { items, readItemsAgain } = useCatalogue(needsItems);
  const section = useRef<HTMLElement>(null);
  useSeenHeight(section);

  // Preloaded: when a message cannot be sent, the code that reports it could not be fetched either.
  useEffect(() => void import("#app/ui/toast/toast-viewport.tsx").catch(() => undefined), []);
  const [refusals, setRefusals] = useState(0);
  const deliver = useCallback(
    (sending: Promise<Failure | null>) =>
      void settle(room, sending).then((failure) => {
        if (failure?.kind === "barred") setRefusals((count) => count + 1);
      }),
    [room],
  );
  const retry = useCallback((id: string) => deliver(room.retry(id)), [room, deliver]);
  // A rejected text goes back into the field for editing, before the current draft.
  const revise = useCallback(
    (id: string, message: string) => {
      const more = room.current().outgoing.find((each) => each.id === id)?.more;
      room.discard(id);
      changeDraft((before) => (before ? `${message}\n${before}` : message));
      focusField();
      void restore(more);
    },
    [room, changeDraft, restore],
  );

  const react = useCallback(
    (id: string, emoji: string, isThere: boolean) =>
      void settleReaction(() => room.react(id, emoji, isThere)),
    [room],
  );
  const needItems = useCallback(() => setChoosing(true), []);

  return (
    <section ref={section} className="card chat-room" aria-label="Chat room">
      <RoomHead
        connection={view.connection}
        here={view.here.length}
        muted={mutes.list.length}
        onOpen={setDialog}
      />
      <SafetyRules />
      <MessageList
        {...{ room, view, userId, isModerator, items }}
        onReact={react}
        onOpen={setDialog}
        onRetry={retry}
        onRevise={mayTry ? revise : null}
      />
      <ForcedName userId={userId} asked={refusals}>
        <Writing
          {...{ client, userId, view, items, readItemsAgain, draft, address }}
          notice={mayTry ? null : <VoiceNotice own={own} />}
          onNeedItems={needItems}
          onDraft={(text) => changeDraft(() => text)}
          onAddress={setAddress}
          onSend={(message, more) => deliver(room.send(message, more))}
        />
      </ForcedName>
      <AgeDialog onAnswered={() => void refresh()} />
      <Announcer view={view} userId={userId} />
      <ChatDialogs
        {...{ room, mutes, dialog }}
        here={view.here}
        onReact={react}
        onReply={(message) => {
          // The dialog has to be closed first, which makes the field inert and returns the focus to its opener.
          flushSync(() => {
            setDialog(null);
            setAddress({ ...address, reply: message });
          });
          focusField();
        }}
        onChange={setDialog}
        onClose={() => setDialog(null)}
      />
    </section>
  );
}

function focusField(): void {
  document.querySelector<HTMLElement>(".chat-field")?.focus();
}

type ChangeDraft = (change: (before: string) => string) => void;

/** The draft and its setter; kept for this tab across reloads. */
function useDraft(kept: KeptText): [string, ChangeDraft] {
  const [draft, setDraft] = useState(() => kept.readDraft());
  useEffect(() => kept.writeDraft(draft), [kept, draft]);
  return [draft, setDraft];
}

/** Joins the room while the caller is mounted and returns its state. Suspends until the client is loaded. */
function useRoom(userId: string): { client: SessionClient; room: Room; view: RoomView } {
  const client = use(openSession(useSiteConfig()));
  const [room] = useState(() => createRoom(client, { id: userId, username: followUsername(client, userId) }));
  useEffect(() => room.enter(), [room]);
  const view = useSyncExternalStore(room.subscribe, room.current);
  return { client, room, view };
}

/** The user's own name once it is read; the database overwrites whatever is sent (P12). */
function followUsername(client: SessionClient, userId: string): () => string {
  let username = "Anonymous";
  readOwnProfile(client, userId).then(
    (profile) => {
      if (profile) username = profile.username;
    },
    () => undefined,
  );
  return () => username;
}

/** The catalogue, loaded on first use and then followed; null until then, or if it cannot be read. */
function useCatalogue(isNeeded: boolean) {
  const since = useRef<number | null>(null);
  const [read, readAgain] = useOwnRead(
    async (client) => {
      const askedAt = siteNow();
      const found = await readItems(client);
      since.current = askedAt;
      return found;
    },
    { isKept: true, waits: !isNeeded },
  );
  const items: ChatItems | null = typeof read === "string" ? null : read;
  const isRead = items !== null;
  useEffect(() => (isRead ? followCatalogue(since, readAgain) : undefined), [isRead, readAgain]);
  return { items, readItemsAgain: read === "failed" ? readAgain : null };
}

const STATES: Record<Connection, string> = {
  connecting: "Connecting…",
  connected: "Live",
  reconnecting: "Reconnecting…",
};

type RoomHeadProps = {
  connection: Connection;
  /** How many people are in the room. */
  here: number;
  /** How many people this user muted. */
  muted: number;
  onOpen(dialog: OpenDialog): void;
};

/** The room's bar: connection status, people present, muted people. */
function RoomHead({ connection, here, muted, onOpen }: RoomHeadProps) {
  return (
    <header className="chat-head">
      <p role="status" className={`chat-state chat-${connection}`}>
        {STATES[connection]}
      </p>
      {here > 0 && (
        <Button size="sm" variant="ghost" className="figures" onClick={() => onOpen({ what: "people here" })}>
          {`${here} online`}
        </Button>
      )}
      {muted > 0 && (
        <Button
          size="sm"
          variant="ghost"
          className="figures"
          onClick={() => onOpen({ what: "muted people" })}
        >
          {`${muted} muted`}
        </Button>
      )}
    </header>
  );
}
