import { useEffect, useRef, useState } from "react";
import type { ChatMessage } from "#app/routes/chat/room/chat-message.ts";
import type { RoomView } from "#app/routes/chat/room/room-store.ts";

/** In milliseconds: messages within TOGETHER are announced as one, at most one announcement per PAUSE. */
const TOGETHER = 400;
const PAUSE = 4000;

/** Announces others' new messages to screen readers, but not the initial ones or older ones loaded later. */
export function Announcer({ view, userId }: { view: RoomView; userId: string }) {
  const [announced, setAnnounced] = useState({ text: "", number: 0 });
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
      if (announcement) setAnnounced(({ number }) => ({ text: announcement, number: number + 1 }));
    }
  }, [status, newest, userId]);
  useEffect(() => () => clearTimeout(timer.current), []);

  return (
    <p className="sr-only" aria-live="polite" data-slot="announcer">
      {/* A new key each time: otherwise a repeated "2 new messages" would be announced only once. */}
      <span key={announced.number}>{announced.text}</span>
    </p>
  );
}

/** Announces others' messages since a time: a single one in full, several as a count; null for none. */
export function announceMessages(
  messages: readonly ChatMessage[],
  since: string,
  userId: string,
): string | null {
  const fresh = messages.filter((each) => each.created_at > since && each.user_id !== userId);
  const [first] = fresh;
  if (!first) return null;
  return fresh.length === 1 ? `${first.username}: ${first.message}` : `${fresh.length} new messages`;
}
