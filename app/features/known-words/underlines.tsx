import { Fragment, type RefObject, useLayoutEffect, useRef } from "react";
import type { UnknownWord } from "#domain/words/unknown-words.ts";

/** A text field and its text. */
export type FieldText = { field: RefObject<HTMLTextAreaElement | null>; text: string };

type UnderlinesProps = FieldText & { marked: readonly UnknownWord[] };

/**
 * Text fields cannot underline words: the same text lies over the field, letter on letter, with only its underlines
 * visible.
 */
export function Underlines({ field, text, marked }: UnderlinesProps) {
  const copy = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const [element, over] = [field.current, copy.current];
    if (!element || !over) return;
    const follow = () => {
      const box = over.offsetParent;
      if (!box) return;
      // Not `offsetWidth`, which rounds to whole pixels: the text would wrap differently.
      const [at, from] = [element.getBoundingClientRect(), box.getBoundingClientRect()];
      Object.assign(over.style, {
        left: `${at.left - from.left - box.clientLeft + box.scrollLeft}px`,
        top: `${at.top - from.top - box.clientTop + box.scrollTop}px`,
        width: `${at.width}px`,
        height: `${at.height}px`,
      });
      over.scrollTop = element.scrollTop;
    };
    follow();
    const observer = new ResizeObserver(follow);
    observer.observe(element);
    element.addEventListener("scroll", follow);
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", follow);
    };
  });

  return (
    <div ref={copy} aria-hidden="true" className="control underlines">
      {marked.map(({ start, written }, at) => (
        <Fragment key={start}>
          {text.slice(marked[at - 1]?.end ?? 0, start)}
          <u>{written}</u>
        </Fragment>
      ))}
      {text.slice(marked.at(-1)?.end ?? 0)}
      {"\u200b"}
    </div>
  );
}
