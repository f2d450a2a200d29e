import "./hidden-words.css";
import { AskForWord } from "#app/features/known-words/ask-for-word.tsx";
import { HIDDEN } from "#domain/words/hidden-words.ts";

/** So many of one message can be asked for. */
const MOST_ASKED = 3;

/** Tells the writer what of a message nobody sees. After a reload nobody knows which words that were. */
export function HiddenWords({ words }: { words: readonly string[] }) {
  return (
    <div className="hidden-words">
      <p role="status">{describe(words)}</p>
      {words.slice(0, MOST_ASKED).map((word) => (
        <AskForWord key={word} word={word} tabIndex={-1} isNamed={words.length > 1} />
      ))}
    </div>
  );
}

function describe(words: readonly string[]): string {
  if (words.length === 0) return `Nobody sees what is shown as ${HIDDEN}: the site doesn’t know it.`;
  const named = new Intl.ListFormat("en").format(words.map((word) => `“${word}”`));
  return `Nobody sees ${named}: ${words.length === 1 ? "the site doesn’t know this word" : "the site doesn’t know these words"}.`;
}
