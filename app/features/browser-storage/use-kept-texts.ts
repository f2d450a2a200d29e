import { type RefObject, useCallback, useEffect, useRef } from "react";
import { type Draft, readKeptJson, writeKept } from "./kept.ts";

type TextControl = HTMLInputElement | HTMLTextAreaElement;

/**
 * Keeps what is typed into a form in this tab until it is sent: across a reload, a navigation away and back, or a
 * dialog closed by accident. `of` identifies the form, its subject and its writer; null while that is not known. Returns
 * a function that discards the draft.
 */
export function useKeptTexts(element: RefObject<HTMLFormElement | null>, of: Draft | null): () => void {
  const wasUnknown = useRef(false);
  useEffect(() => {
    const form = element.current;
    wasUnknown.current ||= of === null;
    if (!form || of === null) return;
    const kept = (readKeptJson("typedTexts", of) ?? {}) as Record<string, string>;
    for (const control of textsIn(form)) if (!control.value) type(control, kept[control.name] ?? "");
    const keep = () => writeKept("typedTexts", JSON.stringify(Object.fromEntries(valuesOf(form))), of);
    // What was typed before the writer was known.
    if (wasUnknown.current && valuesOf(form).some(([, value]) => value)) keep();
    wasUnknown.current = false;
    form.addEventListener("input", keep);
    return () => form.removeEventListener("input", keep);
  }, [element, of]);
  return useCallback(() => of && writeKept("typedTexts", null, of), [of]);
}

function textsIn(form: HTMLFormElement): TextControl[] {
  return [...form.querySelectorAll<TextControl>("textarea, input:not([type]), input[type=email]")];
}

const valuesOf = (form: HTMLFormElement) => textsIn(form).map(({ name, value }) => [name, value] as const);

/** Sets the text as if typed, so that listeners such as the character counter notice. */
function type(control: TextControl, text: string): void {
  if (!text) return;
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), "value")?.set?.call(control, text);
  control.dispatchEvent(new Event("input", { bubbles: true }));
}
