import { useEffect, useRef, useState } from "react";
import { announceMessages } from "#app/features/chat/announce-messages.ts";
import type { RoomView } from "#app/features/chat/room-store.ts";

/** What comes within the first is told together; a busy room is told at most once in the second. In milliseconds. */
const TOGETHER = 400;
const PAUSE = 4000;

/** Tells listeners what others write. What was there when they came, or is loaded upward, is theirs to read. */
export function Announcer({ view, userId }: { view: RoomView; userId: string }) {
  const [told, setTold] = useState({ text: "", number: 0 });
  const latest = useRef(view);
  latest.current = view;
  const heard = useRef<string | null>(null);
  const quietUntil = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const { status, messages } = view;
  const newest = messages.at(-1)?.created_at ?? "";

  useEffect(() => {
    if (status !== "ready") return;
    heard.current ??= newest;
    if (newest <= heard.current || timer.current) return;
    timer.current = setTimeout(tell, Math.max(TOGETHER, quietUntil.current - Date.now()));

    function tell() {
      timer.current = undefined;
      quietUntil.current = Date.now() + PAUSE;
      const announcement = announceMessages(latest.current.messages, heard.current ?? "", userId);
      heard.current = latest.current.messages.at(-1)?.created_at ?? heard.current;
      if (announcement) setTold(({ number }) => ({ text: announcement, number: number + 1 }));
    }
  }, [status, newest, userId]);
  useEffect(() => () => clearTimeout(timer.current), []);

  return (
    <p className="sr-only" aria-live="polite" data-slot="announcer">
      {/* Anew each time: "2 new messages" said twice would otherwise be heard once. */}
      <span key={told.number}>{told.text}</span>
    </p>
  );
}
