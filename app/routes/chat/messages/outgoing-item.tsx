import { type MouseEvent, useEffect, useState } from "react";
import { siteNow } from "#app/features/site/site-clock.ts";
import type { Failure } from "#app/routes/chat/room/describe-failure.ts";
import type { Outgoing } from "#app/routes/chat/room/room-state.ts";
import { Button } from "#app/ui/button.tsx";
import { MessageText } from "./message-text.tsx";

type OutgoingItemProps = {
  outgoing: Outgoing;
  onRetry(id: string): void;
  onRevise: ((id: string, message: string) => void) | null;
  onDiscard(id: string): void;
};

/** A message of the user's own that is not stored yet: being sent, or with the reason why it was not. */
export function OutgoingItem({ outgoing, onRetry, onRevise, onDiscard }: OutgoingItemProps) {
  const { id, message, failure, sendsAt } = outgoing;
  const retry = (event: MouseEvent) => {
    rowOf(event)?.focus();
    onRetry(id);
  };
  const discard = (event: MouseEvent) => {
    const row = rowOf(event);
    ((row?.nextElementSibling ?? row?.previousElementSibling) as HTMLElement | null)?.focus();
    onDiscard(id);
  };
  return (
    <li id={`message-${id}`} data-row="" tabIndex={-1} className="chat-item">
      <div className="chat-message chat-own chat-first">
        <div className={`chat-bubble ${failure ? "chat-failed" : "chat-pending"}`}>
          <MessageText text={message} />
          {failure ? (
            <div className="grid gap-2 pt-2 font-semibold text-fall text-sm">
              <p>{failure.sentence}</p>
              <div className="flex flex-wrap justify-end gap-2">
                {onRevise && isForEditing(failure) && (
                  <Button size="sm" tabIndex={-1} onClick={() => onRevise(id, message)}>
                    Edit
                  </Button>
                )}
                {failure.kind === "later" && <Retry failure={failure} onPress={retry} />}
                {failure.kind === "barred" && <RetryAfter failure={failure} onPress={retry} />}
                <Button size="sm" variant="ghost" tabIndex={-1} onClick={discard}>
                  Discard
                </Button>
              </div>
            </div>
          ) : sendsAt ? (
            <Waiting sendsAt={sendsAt} onTakeBack={discard} />
          ) : (
            <span className="chat-time">Sending…</span>
          )}
        </div>
      </div>
    </li>
  );
}

/** Its text has to change, or nobody knows when its writer may write again: it waits in the field until then. */
const isForEditing = ({ kind, retryAt }: Failure) => kind === "refused" || (kind === "barred" && !retryAt);

/** The pressed button is about to go; the focus stays in the list of messages. */
const rowOf = (event: MouseEvent) => event.currentTarget.closest<HTMLElement>("[data-row]");

type PressProps = { failure: Failure; onPress(event: MouseEvent): void };

/** Sent automatically when its turn comes. */
function Waiting({ sendsAt, onTakeBack }: { sendsAt: number; onTakeBack(event: MouseEvent): void }) {
  const wait = useSecondsUntil(sendsAt);
  return (
    <div className="flex items-center justify-end gap-2 text-muted text-sm">
      <span className="figures">{wait > 0 ? `Sends in ${wait} s` : "Sending…"}</span>
      <Button size="sm" variant="ghost" tabIndex={-1} onClick={onTakeBack}>
        Take back
      </Button>
    </div>
  );
}

/** Counts down on the button when the service says how long to wait. */
function Retry({ failure, onPress }: PressProps) {
  const wait = useSecondsUntil(failure.readyAt ?? 0);
  return (
    <Button size="sm" tabIndex={-1} disabled={wait > 0} onClick={onPress}>
      {wait > 0 ? `Retry in ${wait} s` : "Retry"}
    </Button>
  );
}

/** No retry button while it could only fail again; the text beside it says until when. */
function RetryAfter({ failure: { retryAt }, onPress }: PressProps) {
  const [isOver, setOver] = useState(() => isPast(retryAt));
  useEffect(() => {
    const timer = setInterval(() => setOver(isPast(retryAt)), 1000);
    return () => clearInterval(timer);
  }, [retryAt]);
  if (!isOver) return null;
  return (
    <Button size="sm" tabIndex={-1} onClick={onPress}>
      Retry
    </Button>
  );
}

/** By the server's clock, which decides when the user may write again. */
function isPast(time: number | undefined): boolean {
  return time !== undefined && time <= siteNow();
}

/** By the monotonic clock. */
function useSecondsUntil(time: number): number {
  const [now, setNow] = useState(() => performance.now());
  const left = Math.max(0, Math.ceil((time - now) / 1000));
  useEffect(() => {
    if (left === 0) return;
    const timer = setTimeout(() => setNow(performance.now()), 250);
    return () => clearTimeout(timer);
  });
  return left;
}
