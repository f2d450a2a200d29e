import "./hidden-words.css";
import { AskForWord } from "#app/features/known-words/ask-for-word.tsx";
import { describeHidden } from "#app/features/known-words/describe-hidden.ts";

/** How many words of one message can be requested. */
const MOST_ASKED = 3;

/** Tells the writer which words of a message are hidden from others. They are unknown after a reload. */
export function HiddenWords({ words }: { words: readonly string[] }) {
  return (
    <div className="hidden-words">
      <p role="status">{describeHidden(words)}</p>
      {words.slice(0, MOST_ASKED).map((word) => (
        <AskForWord key={word} word={word} tabIndex={-1} isNamed={words.length > 1} />
      ))}
    </div>
  );
}
