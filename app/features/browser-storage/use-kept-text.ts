import { useState } from "react";
import { type Draft, readKept, writeKept } from "./kept.ts";

/**
 * One field's text, kept in this tab until it is forgotten; null if nothing was typed. For fields that `useKeptTexts`
 * does not suit: those without a form of their own, and those that begin with a text.
 */
export function useKeptText(of: Draft) {
  const [text, setText] = useState(() => readKept("typedTexts", of));
  return {
    text,
    type(typed: string) {
      setText(typed);
      writeKept("typedTexts", typed, of);
    },
    forget() {
      setText(null);
      writeKept("typedTexts", null, of);
    },
  };
}
