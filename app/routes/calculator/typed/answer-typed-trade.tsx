import type { ReactNode } from "react";
import { Button } from "#app/ui/button.tsx";
import type { Trade } from "#domain/trades/trade-url.ts";
import {
  fillTrade,
  type NamedItem,
  readTypedTrade,
  type TypedTrade,
  type UnreadWords,
} from "#domain/trades/typed-trade.ts";

type TypedTradeQuestion<T> = {
  field: HTMLInputElement;
  items: readonly T[];
  fill: Parameters<typeof fillTypedTrade>[2];
  setAnswer: (answer: ReactNode) => void;
};

/**
 * Fills the trade from the typed text and reports what was understood. If that was everything, the field is emptied;
 * otherwise each interpretation of an unclear part is a button that parses the text again with it.
 */
export function answerTypedTrade<T extends NamedItem>(question: TypedTradeQuestion<T>): void {
  const { field, items, fill, setAnswer } = question;
  if (field.value.trim() === "") return;
  const { sentence, choices, isClear } = fillTypedTrade(items, field.value, fill);
  if (isClear) field.value = "";
  const choose = (text: string) => {
    field.value = text;
    answerTypedTrade(question);
    field.focus();
  };
  setAnswer(
    <>
      {sentence}
      {choices.map(({ label, text }) => (
        <Button key={label} onClick={() => choose(text)}>
          {label}
        </Button>
      ))}
    </>,
  );
}

/** The reply to a typed trade, and the texts that would make it clear. */
type TypedAnswer = { sentence: string; choices: { label: string; text: string }[] };

/** Fills the trade with what was understood of a text. `isClear` if that was everything. */
function fillTypedTrade<T extends NamedItem>(
  items: readonly T[],
  text: string,
  fill: (make: (before: Trade) => Trade) => void,
): TypedAnswer & { isClear: boolean } {
  const typed = readTypedTrade(items, text);
  let leftOut = { you: 0, them: 0 };
  if (typed.you.length > 0 || typed.them?.length) {
    fill((before) => {
      const filled = fillTrade(before, typed);
      leftOut = filled.leftOut;
      return filled.trade;
    });
  }
  const [unread, ...others] = typed.unread;
  const filled = [...describeLeftOut(leftOut), ...describeFilled(typed)];
  return {
    // The unclear part comes last, right before its choices.
    sentence: unread
      ? [...others.map((each) => describeUnread(each, false)), ...filled, describeUnread(unread, true)].join(
          " ",
        )
      : filled.join(" ") || NOTHING,
    choices: unread
      ? unread.choices.map(({ name }) => ({ label: name, text: replaceWords(text, unread, name) }))
      : [],
    isClear: !unread && filled.length > 0,
  };
}

const NOTHING = "No item was found in that. Write it like “perm dough + 2 portal for kitsune”.";

function describeUnread<T extends NamedItem>(
  { words, isAmbiguous, choices }: UnreadWords<T>,
  isOffered: boolean,
): string {
  if (isAmbiguous) return `“${words}” could be more than one item.`;
  const asks = isOffered && choices.length > 0;
  return `There's no item called “${words}”.${asks ? " Did you mean one of these?" : ""}`;
}

function describeLeftOut({ you, them }: { you: number; them: number }): string[] {
  const sides = [you > 0 ? `${you} of yours` : "", them > 0 ? `${them} of theirs` : ""].filter(Boolean);
  return sides.length > 0 ? [`A side holds nine items: ${sides.join(" and ")} did not fit.`] : [];
}

function describeFilled<T extends NamedItem>({ you, them }: TypedTrade<T>): string[] {
  if (you.length > 0 && them === null) {
    return ["Your side is filled. Add “for” and what you get to fill theirs."];
  }
  if (you.length > 0 && them && them.length > 0) return ["Both sides are filled."];
  if (you.length > 0) return ["Your side is filled."];
  return them && them.length > 0 ? ["Their side is filled."] : [];
}

/** The text with the name in place of the unclear words, however they were written. */
function replaceWords<T>(text: string, { words }: UnreadWords<T>, name: string): string {
  const pattern = words
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("[^\\p{L}\\p{N}]+");
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, "iu"), name);
}
