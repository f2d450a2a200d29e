import { useEffect, useEffectEvent, useRef } from "react";
import { Button } from "#app/ui/button.tsx";
import { describeChange } from "#domain/values/large-change.ts";
import { GRID_COLUMNS } from "./model/columns.ts";
import { type CellKey, dropCells, type Edit, keepLocalEdit, markOf, partsOf } from "./model/edits.ts";
import { choicesOf, faultOf, showText } from "./model/fields.ts";
import { explainOutcome, explainWaiting } from "./publish/publish-cells.ts";
import type { Grid } from "./use-grid.ts";
import { keyAt } from "./use-grid-cells.ts";

/** The active cell: its item and column, what is published, what it would become and why. */
export function CellBar({ grid }: { grid: Grid }) {
  const { cells, draft, rows } = grid;
  const spot = cells.selection?.active;
  const item = spot && draft.byId.get(spot.row);
  if (!spot || !item) {
    return (
      <p className="grid-cell-bar text-muted">
        {rows.rows.length === 0 ? "No item is shown." : "Choose a cell and type. Press ? for all keys."}
      </p>
    );
  }
  const key = keyAt(spot);
  const edit = key ? draft.draft.edits.get(key) : undefined;
  return (
    <div className="grid-cell-bar">
      <strong>{item.name}</strong>
      <span className="text-muted">{GRID_COLUMNS[spot.column]?.label}</span>
      {key && edit && <EditedCell key={key} grid={grid} cellKey={key} edit={edit} />}
      {key && !edit && <Proposed grid={grid} cellKey={key} />}
      {key && !edit && (
        <span className="figures">
          {partsOf(key).field === "checked" ? "" : showText(partsOf(key).field, draft.stored(key) ?? "")}
        </span>
      )}
    </div>
  );
}

function EditedCell({ grid, cellKey, edit }: { grid: Grid; cellKey: CellKey; edit: Edit }) {
  const { draft, cells } = grid;
  const { field } = partsOf(cellKey);
  const now = draft.stored(cellKey) ?? "";
  const fault = faultOf(field, edit.text);
  const isClash = markOf(edit, now) === "clash";
  const isWord = field === "checked" || choicesOf(field) !== null;
  const description = isWord
    ? `${showText(field, edit.was)} → ${showText(field, edit.text)}`
    : describeChange(edit.was, edit.text);
  return (
    <>
      <span className="figures">{field === "checked" ? edit.text : description}</span>
      {fault && <span className="field-error">{fault}</span>}
      {edit.sent && !isClash && <span className="text-muted">{explainOutcome(edit.sent)}</span>}
      {isClash && <Clash grid={grid} cellKey={cellKey} edit={edit} now={now} />}
      {field !== "checked" && <Note note={edit.note ?? ""} onNote={(text) => cells.note([cellKey], text)} />}
      <Button
        size="sm"
        variant="ghost"
        onClick={() => draft.change((all, is) => dropCells(all, [cellKey], is))}
      >
        Give up
      </Button>
    </>
  );
}

/** Both values to choose from, if someone published another one over the one being edited. */
function Clash({ grid, cellKey, edit, now }: { grid: Grid; cellKey: CellKey; edit: Edit; now: string }) {
  const { draft } = grid;
  const { field } = partsOf(cellKey);
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      <span>Somebody else published {showText(field, now)} meanwhile.</span>
      <Button size="sm" onClick={() => draft.change((all, is) => dropCells(all, [cellKey], is))}>
        Take {showText(field, now)}
      </Button>
      <Button size="sm" onClick={() => draft.change((all, is) => keepLocalEdit(all, cellKey, is))}>
        Keep {showText(field, edit.text)}
      </Button>
    </span>
  );
}

/** The cell's own reason, saved on blur or Enter, and when another cell is pressed, which removes the field first. */
function Note({ note, onNote }: { note: string; onNote(text: string): void }) {
  const typed = useRef<string | null>(null);
  function keep() {
    if (typed.current !== null) onNote(typed.current);
    typed.current = null;
  }
  const keepLast = useEffectEvent(keep);
  useEffect(() => () => keepLast(), []);
  return (
    <input
      type="text"
      className="control max-w-96 flex-[1_1_12rem]"
      aria-label="Note for this cell"
      placeholder="A note for this cell alone"
      maxLength={200}
      defaultValue={note}
      onChange={(event) => {
        typed.current = event.target.value;
      }}
      onBlur={keep}
      onKeyDown={(event) => event.key === "Enter" && keep()}
    />
  );
}

/** What was proposed for a cell that waits for a second person. */
function Proposed({ grid, cellKey }: { grid: Grid; cellKey: CellKey }) {
  const proposed = grid.waiting.get(cellKey);
  if (!proposed) return null;
  return (
    <span className="text-muted">
      {`${showText(partsOf(cellKey).field, proposed.text)} is proposed. ${explainWaiting(proposed.why)}`}
    </span>
  );
}
