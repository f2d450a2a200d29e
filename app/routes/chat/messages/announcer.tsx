import { useEffect, useRef, useState } from "react";
import type { ChatMessage } from "#app/routes/chat/room/chat-message.ts";
import type { RoomView } from "#app/routes/chat/room/room-store.ts";

/** In milliseconds: messages within TOGETHER are announced as one, at most one announcement per PAUSE. */
const TOGETHER = 400;
const PAUSE = 4000;

/**
 * Announces others' new messages to screen readers, but not the initial ones or older ones loaded later. What was
 * announced is gone with its message, so that nobody can read a deleted one here.
 */
export function Announcer({ view, userId }: { view: RoomView; userId: string }) {
  const [announced, setAnnounced] = useState<Announcement & { number: number }>({ text: "", number: 0 });
  const latest = useRef(view);
  latest.current = view;
  const lastAnnounced = useRef<string | null>(null);
  const quietUntil = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const { status, messages } = view;
  const newest = messages.at(-1)?.created_at ?? "";

  useEffect(() => {
    if (status !== "ready") return;
    lastAnnounced.current ??= newest;
    if (newest <= lastAnnounced.current || timer.current) return;
    timer.current = setTimeout(tell, Math.max(TOGETHER, quietUntil.current - performance.now()));

    function tell() {
      timer.current = undefined;
      quietUntil.current = performance.now() + PAUSE;
      const announcement = announceMessages(latest.current.messages, lastAnnounced.current ?? "", userId);
      lastAnnounced.current = latest.current.messages.at(-1)?.created_at ?? lastAnnounced.current;
      if (announcement) setAnnounced(({ number }) => ({ ...announcement, number: number + 1 }));
    }
  }, [status, newest, userId]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const isGone = announced.of && !messages.some(({ id }) => id === announced.of);

  return (
    <p className="sr-only" aria-live="polite" data-slot="announcer">
      {/* A new key each time: otherwise a repeated "2 new messages" would be announced only once. */}
      <span key={announced.number}>{!isGone && announced.text}</span>
    </p>
  );
}

/** `of` is the id of the one message that it repeats. */
type Announcement = { text: string; of?: string };

/** Announces others' messages since a time: a single one in full, several as a count; null for none. */
export function announceMessages(
  messages: readonly ChatMessage[],
  since: string,
  userId: string,
): Announcement | null {
  const fresh = messages.filter((each) => each.created_at > since && each.user_id !== userId);
  const [first] = fresh;
  if (!first) return null;
  if (fresh.length > 1) return { text: `${fresh.length} new messages` };
  return { text: `${first.username}: ${first.message}`, of: first.id };
}
