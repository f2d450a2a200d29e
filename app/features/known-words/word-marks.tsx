import "./known-words.css";
import { Fragment, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { openSession } from "#app/features/session/open-session.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Button } from "#app/ui/button.tsx";
import { useStore } from "#app/ui/store.ts";
import { nearestWords } from "#domain/words/nearest-words.ts";
import { findUnknownWords, type UnknownWord } from "#domain/words/unknown-words.ts";
import type { Vocabulary } from "#domain/words/vocabulary.ts";
import { AskForWord } from "./ask-for-word.tsx";
import { readVocabulary, vocabularyStore } from "./vocabulary-store.ts";

export type WordMarksProps = FieldText & { onChange(text: string): void };

/** How many words are listed, and how many suggestions each. */
const MOST_LISTED = 3;
const MOST_NEAR = 2;
/** A word still being typed is not judged until a pause of this many milliseconds. */
const PAUSE = 1000;

/** The words that will be hidden: underlined in the field, and listed with suggestions. */
export function WordMarks({ field, text, onChange }: WordMarksProps) {
  const vocabulary = useVocabulary(field);
  const unknown = useUnknownWords(field, text, vocabulary);
  const listed = [...new Map(unknown.map((each) => [each.word, each])).values()];

  function replace(meant: UnknownWord, by: string) {
    const spelled = /^\p{Lu}/u.test(meant.written) ? by.charAt(0).toUpperCase() + by.slice(1) : by;
    const others = unknown.filter(({ word }) => word === meant.word).reverse();
    onChange(others.reduce((now, { start, end }) => now.slice(0, start) + spelled + now.slice(end), text));
    field.current?.focus();
  }

  return (
    <>
      <Underlines field={field} text={text} marked={unknown} />
      <div className={listed.length === 0 ? "sr-only" : "unknown-words"}>
        <p role="status">{listed.length > 0 && describe(listed)}</p>
        {vocabulary && listed.length > 0 && (
          <ul>
            {listed.slice(0, MOST_LISTED).map((each) => (
              <li key={each.word}>
                {listed.length > 1 && <b>{each.written}</b>}
                <Near word={each} vocabulary={vocabulary} onPick={(by) => replace(each, by)} />
                {each.word.length <= 30 && <AskForWord word={each.word} />}
              </li>
            ))}
          </ul>
        )}
      </div>
    </>
  );
}

type NearProps = { word: UnknownWord; vocabulary: Vocabulary; onPick(word: string): void };

function Near({ word: { word, written }, vocabulary, onPick }: NearProps) {
  const near = useMemo(() => nearestWords(word, vocabulary, MOST_NEAR), [word, vocabulary]);
  return near.map((each) => (
    <Button
      key={each}
      aria-label={`${each} instead of ${written}`}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onPick(each)}
    >
      {each}
    </Button>
  ));
}

function describe(words: readonly UnknownWord[]): string {
  const [first] = words;
  if (words.length === 1) return `Others won’t see “${first?.written}”: this word isn’t known here.`;
  return `Others won’t see ${words.length} words: they aren’t known here.`;
}

/** The vocabulary; null until it is loaded. Refreshed when the field is focused again later. */
function useVocabulary(field: WordMarksProps["field"]): Vocabulary | null {
  const site = useSiteConfig();
  useEffect(() => {
    const element = field.current;
    const read = () =>
      void openSession(site)
        .then(readVocabulary)
        .catch(() => undefined);
    read();
    element?.addEventListener("focus", read);
    return () => element?.removeEventListener("focus", read);
  }, [field, site]);
  return useStore(vocabularyStore);
}

function useUnknownWords(field: WordMarksProps["field"], text: string, vocabulary: Vocabulary | null) {
  const unknown = useMemo(() => (vocabulary ? findUnknownWords(text, vocabulary) : []), [text, vocabulary]);
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  const isTyping = paused !== text;
  return isTyping ? unknown.filter(({ end }) => end !== field.current?.selectionStart) : unknown;
}

type FieldText = { field: RefObject<HTMLTextAreaElement | null>; text: string };

/** Text fields cannot underline words: a copy of the text lies over the field, with only its underlines visible. */
function Underlines({ field, text, marked }: FieldText & { marked: readonly UnknownWord[] }) {
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
