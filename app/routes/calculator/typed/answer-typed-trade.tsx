import type { ReactNode } from "react";
import { Button } from "#app/ui/button.tsx";
import type { NamedItem } from "#domain/trades/typed-trade.ts";
import { fillTypedTrade } from "./fill-typed-trade.ts";

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
