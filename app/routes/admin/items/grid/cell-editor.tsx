import { type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";
import { titled } from "#domain/text/words.ts";
import { keepTyping } from "./kept-grid.ts";
import { type CellKey, partsOf } from "./model/edits.ts";
import { choicesOf } from "./model/fields.ts";
import type { Editing, Grid, Move } from "./use-grid.ts";

type CellEditorProps = Pick<Grid, "commit" | "cancel"> & {
  editing: Editing;
  cellKey: CellKey;
  label: string;
};

/** The open cell. Enter, Tab and the arrows commit the text and move on, Escape discards it. */
export function CellEditor({ editing, cellKey, label, commit, cancel }: CellEditorProps) {
  const choices = choicesOf(partsOf(cellKey).field);
  const [text, setText] = useState(() => (choices ? firstChoice(choices, editing) : editing.text));
  const control = useRef<HTMLInputElement & HTMLSelectElement>(null);
  const isDone = useRef(false);
  useLayoutEffect(() => {
    control.current?.focus({ preventScroll: true });
    if (editing.isTyped && editing.text) keepTyping({ key: cellKey, text: editing.text });
  }, [editing, cellKey]);

  function change(next: string): void {
    setText(next);
    keepTyping({ key: cellKey, text: next });
  }
  function end(way?: Move): void {
    if (isDone.current) return;
    isDone.current = true;
    commit(text, way);
  }
  function press(event: KeyboardEvent): void {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    const way = wayOf(event, editing.isTyped && !choices, Boolean(choices));
    if (event.key === "Escape") {
      isDone.current = true;
      cancel();
    } else if (way) end(way);
    if (way || event.key === "Escape") event.preventDefault();
  }

  const common = {
    ref: control,
    "aria-label": label,
    className: "grid-editor",
    onKeyDown: press,
    onBlur: () => end(),
  };
  if (choices) {
    return (
      <select {...common} value={text} onChange={(event) => change(event.target.value)}>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {titled(choice)}
          </option>
        ))}
      </select>
    );
  }
  return (
    <input
      {...common}
      type="text"
      autoComplete="off"
      spellCheck={false}
      enterKeyHint="next"
      value={text}
      onChange={(event) => change(event.target.value)}
    />
  );
}

/** For a choice opened by a letter: the next one that starts with that letter. */
function firstChoice(choices: readonly string[], { text, isTyped }: Editing): string {
  const found = isTyped ? choices.find((choice) => choice.startsWith(text.toLowerCase())) : text;
  return found ?? choices[0] ?? "";
}

function wayOf(
  { key, shiftKey, ctrlKey, metaKey }: KeyboardEvent,
  isTyped: boolean,
  isChoice: boolean,
): Move | null {
  if (key === "Enter") return ctrlKey || metaKey ? "all" : shiftKey ? "up" : "down";
  if (key === "Tab") return shiftKey ? "back" : "next";
  if (isChoice) return null;
  if (key === "ArrowDown") return "down";
  if (key === "ArrowUp") return "up";
  if (isTyped && key === "ArrowLeft") return "left";
  return isTyped && key === "ArrowRight" ? "right" : null;
}
