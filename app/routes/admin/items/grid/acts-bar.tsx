import { type RefObject, useState } from "react";
import { Button } from "#app/ui/button.tsx";
import { readPercent, readRounding } from "./model/adjust.ts";
import type { Grid } from "./use-grid.ts";

type ActsBarProps = {
  grid: Grid;
  percent: RefObject<HTMLInputElement | null>;
  rounding: RefObject<HTMLInputElement | null>;
  isRanging: boolean;
  onRanging(isRanging: boolean): void;
  onHelp(): void;
};

/** What can be done to the selected cells; on a phone it stays visible below them. */
export function ActsBar({ grid, percent, rounding, isRanging, onRanging, onHelp }: ActsBarProps) {
  const { cells, steps } = grid;
  const isNone = cells.selection === null;
  return (
    <div role="toolbar" aria-label="Selected cells" className="grid-acts">
      <Amount
        field={percent}
        label="Percent"
        start="5"
        isRight={(text) => readPercent(text) !== null}
        acts={[
          ["Raise by %", (text) => cells.raise(readPercent(text) ?? 0)],
          ["Lower by %", (text) => cells.raise(-(readPercent(text) ?? 0))],
        ]}
        grid={grid}
      />
      <Amount
        field={rounding}
        label="Round to"
        start="2 digits"
        isRight={(text) => readRounding(text) !== null}
        acts={[["Round to", cells.round]]}
        grid={grid}
      />
      <Button size="sm" disabled={isNone} onClick={() => cells.markRight()}>
        Still right
      </Button>
      <Button size="sm" disabled={isNone} onClick={() => cells.drop()}>
        Give up
      </Button>
      <Button size="sm" className="grid-touch" disabled={isNone} onClick={() => grid.open()}>
        Edit
      </Button>
      <Button
        size="sm"
        className="grid-touch"
        disabled={isNone}
        aria-pressed={isRanging}
        onClick={() => onRanging(!isRanging)}
      >
        Select to …
      </Button>
      <Button size="sm" disabled={!steps.canUndo} onClick={steps.undo}>
        Undo
      </Button>
      <Button size="sm" disabled={!steps.canRedo} onClick={steps.redo}>
        Redo
      </Button>
      <Button size="sm" variant="ghost" aria-label="Keys of the grid" onClick={onHelp}>
        ?
      </Button>
    </div>
  );
}

type AmountProps = {
  field: RefObject<HTMLInputElement | null>;
  label: string;
  start: string;
  isRight(text: string): boolean;
  acts: readonly (readonly [string, (text: string) => void])[];
  grid: Grid;
};

/** A number and its actions; Enter triggers the first one and returns to the cells. */
function Amount({ field, label, start, isRight, acts, grid }: AmountProps) {
  const [text, setText] = useState(start);
  const { selection } = grid.cells;
  const can = selection !== null && isRight(text);
  const [first] = acts;
  return (
    <span className="grid-amount">
      <input
        ref={field}
        type="text"
        className="control"
        aria-label={label}
        aria-invalid={isRight(text) ? undefined : true}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={({ key }) => {
          if (key === "Enter" && can) first?.[1](text);
          if (key === "Enter" || key === "Escape") grid.focus();
        }}
      />
      {acts.map(([name, act]) => (
        <Button key={name} size="sm" disabled={!can} onClick={() => act(text)}>
          {name}
        </Button>
      ))}
    </span>
  );
}
