import {
  type FocusEvent,
  type KeyboardEvent,
  memo,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from "react";
import { siteNow } from "#app/features/site/site-clock.ts";
import type { OpenDialog } from "#app/routes/chat/dialogs/chat-dialogs.tsx";
import type { ChatItems } from "#app/routes/chat/quick/quick-reads.ts";
import { type ChatMessage, comparePlaces, type Place } from "#app/routes/chat/room/chat-message.ts";
import type { Room } from "#app/routes/chat/room/room.ts";
import type { RoomView } from "#app/routes/chat/room/room-store.ts";
import { Button } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ErrorState } from "#app/ui/error-state.tsx";
import { useFocusFallback } from "#app/ui/form/use-focus-fallback.ts";
import { Skeleton } from "#app/ui/skeleton.tsx";
import { formatDay } from "#domain/chat/chat-time.ts";
import { countOf } from "#domain/text/counts.ts";
import { READERS_ZONE } from "#domain/text/dates.ts";
import { MessageItem } from "./message-item.tsx";
import { arrangeMessages, placeOutgoing } from "./message-rows.ts";
import { OutgoingItem } from "./outgoing-item.tsx";
import { useKeptScroll } from "./use-kept-scroll.ts";
import { useLookUp } from "./use-look-up.ts";
import { useQuotes } from "./use-quotes.ts";

/** Distance from the top, in pixels, at which older messages are fetched. */
const NEAR_TOP = 400;

export type MessageListProps = {
  room: Room;
  view: RoomView;
  userId: string;
  isModerator: boolean;
  items: ChatItems | null;
  onReact(messageId: string, emoji: string, isThere: boolean): void;
  onOpen(dialog: OpenDialog): void;
  onRetry(id: string): void;
  /** Moves a rejected message back to the text field; null if the user has none. */
  onRevise: ((id: string, message: string) => void) | null;
};

/** Messages, oldest first (2.chat.01), then the user's pending ones; rejected ones stay where they were sent. */
export const MessageList = memo(function MessageList(props: MessageListProps) {
  const { room, view } = props;
  const { log, list, leftAt, onScroll, toEnd } = useKeptScroll(view.messages.at(-1));
  useOwnInView(view, toEnd);
  // Whoever mutes somebody was on a message that is gone then.
  const caught = useFocusFallback(view.muted);
  const isFollowing = leftAt === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it may be too long with each message
  useEffect(() => {
    if (isFollowing) room.shorten();
  }, [room, isFollowing, view.messages]);

  function scroll() {
    onScroll();
    if (log.current && log.current.scrollTop < NEAR_TOP && view.older === "idle") void room.readOlder();
  }

  return (
    <div {...caught} className="relative min-h-0 contain-strict">
      <div
        ref={log}
        role="log"
        aria-label="Messages"
        aria-live="off"
        aria-describedby="chat-keys"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a place that scrolls must be reached by keyboard
        tabIndex={0}
        className="chat-log"
        onScroll={scroll}
        onKeyDown={walkRows}
        onFocus={followFocus}
      >
        <p id="chat-keys" className="sr-only">
          Use the arrow keys to move through the messages, and Tab to reach a message’s buttons.
        </p>
        <Beginning {...props} />
        <ol ref={list} className="chat-list">
          <Items {...props} />
        </ol>
      </div>
      {leftAt && <ToEnd count={countAfter(view.messages, leftAt, props.userId)} onPress={toEnd} />}
    </div>
  );
});

function Beginning({ room, view }: MessageListProps) {
  if (view.status === "loading") return <Waiting />;
  if (view.status === "failed") return <ErrorState title="Messages can't be loaded right now" />;
  if (!view.from) return view.messages.length + view.outgoing.length === 0 ? <Quiet /> : null;
  return (
    <p className="grid justify-items-center gap-2 pb-2">
      {view.older === "failed" && <span role="alert">Older messages can’t be loaded right now.</span>}
      <Button size="sm" disabled={view.older === "reading"} onClick={() => room.readOlder()}>
        {view.older === "reading" ? "Loading older messages…" : "Load older messages"}
      </Button>
    </p>
  );
}

function Items(props: MessageListProps) {
  const { view, userId, isModerator, items, onOpen, onReact, onRetry, onRevise, room } = props;
  const quoteOf = useQuotes(room, view);
  const rows = useMemo(() => arrangeMessages(view.messages, READERS_ZONE), [view.messages]);
  // If they cannot be read, initials are shown.
  const faceOf = useLookUp(room.readFaces, view, writersOf(view.messages));
  const now = siteNow();
  const unsent = placeOutgoing(view.messages, view.outgoing);
  const showUnsent = (index: number) =>
    unsent
      .get(index)
      ?.map((outgoing) => (
        <OutgoingItem
          key={outgoing.id}
          outgoing={outgoing}
          onRetry={onRetry}
          onRevise={onRevise}
          onDiscard={room.discard}
        />
      )) ?? [];
  // A single keyed list: rows keep their elements, and focus, when messages are added below.
  return [
    ...rows.flatMap(({ message, startsDay, startsGroup }, index) => [
      ...showUnsent(index),
      <MessageItem
        key={message.id}
        message={message}
        face={faceOf(message.user_id) ?? null}
        day={startsDay ? formatDay(message.created_at, now, READERS_ZONE) : null}
        startsGroup={startsGroup}
        isOwn={message.user_id === userId}
        canDelete={isModerator || message.user_id === userId}
        userId={userId}
        muted={view.muted}
        items={message.trade || message.items ? items : null}
        hidden={view.hidden.get(message.id)}
        quote={message.reply_to ? quoteOf(message.reply_to) : undefined}
        onReact={onReact}
        onOpen={onOpen}
      />,
    ]),
    ...showUnsent(rows.length),
  ];
}

function ToEnd({ count, onPress }: { count: number; onPress(): void }) {
  return (
    <Button size="sm" variant={count > 0 ? "primary" : "secondary"} className="chat-to-end" onClick={onPress}>
      {count > 0 ? countOf(count, "new message") : "Jump to newest"} <span aria-hidden="true">↓</span>
    </Button>
  );
}

function Waiting() {
  return (
    <div className="grid gap-4 p-4" aria-hidden="true">
      <Skeleton className="h-14 w-3/4" />
      <Skeleton className="h-14 w-1/2 justify-self-end" />
      <Skeleton className="h-20 w-2/3" />
    </div>
  );
}

function Quiet() {
  return <EmptyState title="The harbor is quiet">No messages yet. Say hello, or post your offer.</EmptyState>;
}

/** Scrolls to the end when the user sends a message, wherever they were reading. */
function useOwnInView({ outgoing }: RoomView, toEnd: () => void) {
  const known = useRef(0);
  useLayoutEffect(() => {
    if (outgoing.length > known.current) toEnd();
    known.current = outgoing.length;
  });
}

const writersOf = (messages: readonly ChatMessage[]) => [...new Set(messages.map(({ user_id }) => user_id))];

function countAfter(messages: readonly ChatMessage[], place: Place, userId: string): number {
  return messages.filter((each) => each.user_id !== userId && comparePlaces(place, each) < 0).length;
}

const STEPS: Record<string, (index: number, count: number) => number> = {
  ArrowUp: (index, count) => (index < 0 ? count - 1 : Math.max(0, index - 1)),
  ArrowDown: (index, count) => (index < 0 ? count - 1 : Math.min(count - 1, index + 1)),
  Home: () => 0,
  End: (_, count) => count - 1,
};

/**
 * A hundred messages would be three hundred Tab stops. So the log is one stop (roving tabindex): arrows move between
 * rows, and Tab reaches only the controls of the focused row.
 */
function walkRows(event: KeyboardEvent<HTMLElement>): void {
  const rows = rowsOf(event.currentTarget);
  const index = rows.findIndex((row) => row.contains(document.activeElement));
  const next = STEPS[event.key]?.(index, rows.length);
  if (next === undefined || rows.length === 0) return;
  event.preventDefault();
  rows[next]?.focus();
}

/** Makes the controls of the focused row tabbable, and those of all other rows not. */
function followFocus(event: FocusEvent<HTMLElement>): void {
  const row = event.target.closest<HTMLElement>("[data-row]");
  for (const open of event.currentTarget.querySelectorAll<HTMLElement>("[data-row] [tabindex='0']")) {
    if (!row?.contains(open)) open.tabIndex = -1;
  }
  for (const control of row?.querySelectorAll<HTMLElement>("a, button") ?? []) control.tabIndex = 0;
}

function rowsOf(log: HTMLElement): HTMLElement[] {
  return [...log.querySelectorAll<HTMLElement>("[data-row]")];
}
