import { type FormEvent, type ReactNode, useState } from "react";
import type { CalculatorItem } from "#app/features/items/item-queries.ts";
import { loadOrNotify } from "#app/routes/calculator/load-or-notify.ts";
import type { TradeControls } from "#app/routes/calculator/use-trade.ts";
import { Button } from "#app/ui/button.tsx";

type TypedTradeFormProps = { items: readonly CalculatorItem[]; fill: TradeControls["fill"] };

/**
 * "perm dough + 2 portal for kitsune": a line of text that fills both sides (P72). What was not understood stays in the
 * field, and the possible items are named. The parser is loaded when someone starts typing.
 */
export function TypedTradeForm({ items, fill }: TypedTradeFormProps) {
  const [answer, setAnswer] = useState<ReactNode>();

  async function read(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const field = event.currentTarget.elements[0] as HTMLInputElement;
    const reader = await loadOrNotify(loadReader);
    reader?.answerTypedTrade({ field, items, fill, setAnswer });
  }

  return (
    <form className="typed" onSubmit={read} onFocus={() => void loadReader().catch(() => undefined)}>
      <input
        aria-label="Type a trade"
        aria-describedby="typed-answer"
        placeholder="perm dough + 2 portal for kitsune"
        autoComplete="off"
        autoCapitalize="none"
        enterKeyHint="go"
        maxLength={250}
        className="control"
      />
      <Button type="submit">Fill</Button>
      <div role="status" id="typed-answer" className="typed-answer">
        {answer}
      </div>
    </form>
  );
}

const loadReader = () => import("./answer-typed-trade.tsx");
