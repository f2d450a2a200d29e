import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import type { Place } from "#app/routes/chat/room/chat-message.ts";

/** Distance from the end, in pixels, within which the list follows new messages. */
const NEAR = 48;

/** How many rows can hold the position; more than one, because the first may be deleted. */
const ANCHORS = 5;

type Anchor = { id: string; top: number };

export type KeptScroll = {
  log: RefObject<HTMLDivElement | null>;
  list: RefObject<HTMLOListElement | null>;
  /** The newest message when the reader scrolled away from the end; null while following. */
  leftAt: Place | null;
  onScroll(): void;
  toEnd(): void;
};

/**
 * Scroll position of a list that grows at both ends (2.chat.02): at the end it follows the newest message, anywhere
 * else the text being read stays in place. Native scroll anchoring fails at the very top, and not all browsers have it.
 */
export function useKeptScroll(newest: Place | undefined): KeptScroll {
  const log = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const isFollowing = useRef(true);
  /** The log's size and position when they were last set or read. */
  const size = useRef("");
  const top = useRef(0);
  const anchors = useRef<Anchor[]>([]);
  const [leftAt, setLeftAt] = useState<Place | null>(null);

  function settle() {
    if (!log.current || !list.current) return;
    // A scroll is announced in the next frame only: what arrives before must not take the reader back to the end.
    const isLeaving = isFollowing.current && log.current.scrollTop < top.current;
    if (isLeaving && sizeOf(log.current) === size.current) look(log.current, list.current);
    size.current = sizeOf(log.current);
    if (isFollowing.current) log.current.scrollTop = log.current.scrollHeight;
    else restore(log.current, anchors.current);
    top.current = log.current.scrollTop;
    anchors.current = findAnchors(log.current, list.current);
  }

  function onScroll() {
    if (!log.current || !list.current) return;
    // The keyboard opened or the phone was turned meanwhile: the reader is still at the end, or at the same text.
    if (sizeOf(log.current) !== size.current) return settle();
    look(log.current, list.current);
  }

  /** Takes the position that the reader scrolled to. */
  function look(scrolled: HTMLDivElement, rows: HTMLOListElement) {
    const { scrollHeight, scrollTop, clientHeight } = scrolled;
    const isNear = scrollHeight - scrollTop - clientHeight < NEAR;
    top.current = scrollTop;
    anchors.current = findAnchors(scrolled, rows);
    if (isNear === isFollowing.current) return;
    isFollowing.current = isNear;
    setLeftAt(isNear ? null : (newest ?? null));
  }

  function toEnd() {
    isFollowing.current = true;
    top.current = 0;
    setLeftAt(null);
    settle();
  }

  useLayoutEffect(settle);
  const onResize = useEffectEvent(settle);
  useEffect(() => {
    // The keyboard opened, the phone was rotated, a font arrived, or a text field grew.
    const observer = new ResizeObserver(() => onResize());
    if (log.current) observer.observe(log.current);
    if (list.current) observer.observe(list.current);
    return () => observer.disconnect();
  }, []);

  return { log, list, leftAt, onScroll, toEnd };
}

const sizeOf = ({ clientWidth, clientHeight }: HTMLElement) => `${clientWidth} ${clientHeight}`;

function restore(log: HTMLElement, anchors: readonly Anchor[]) {
  for (const { id, top } of anchors) {
    const row = document.getElementById(id);
    if (!row) continue;
    log.scrollTop = row.offsetTop - top;
    return;
  }
}

/** The first visible rows and their offsets. */
function findAnchors(log: HTMLElement, list: HTMLElement): Anchor[] {
  const rows = list.children as HTMLCollectionOf<HTMLElement>;
  let [low, high] = [0, rows.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    const row = rows[middle] as HTMLElement;
    if (row.offsetTop + row.offsetHeight > log.scrollTop) high = middle;
    else low = middle + 1;
  }
  return [...rows]
    .slice(low, low + ANCHORS)
    .map(({ id, offsetTop }) => ({ id, top: offsetTop - log.scrollTop }));
}
