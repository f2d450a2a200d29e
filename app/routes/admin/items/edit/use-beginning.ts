import { type RefObject, useEffect, useRef } from "react";

/** Brings a form in view that takes a row's place, and begins in its field of this name. */
export function useBeginning(form: RefObject<HTMLFormElement | null>, name: string): void {
  const first = useRef(name).current;
  useEffect(() => {
    const field = form.current?.elements.namedItem(first);
    form.current?.scrollIntoView({ block: "nearest" });
    if (field instanceof HTMLInputElement) field.select();
  }, [form, first]);
}

/** Goes on in a field of this name when what had the focus goes, in the form's first where it has none such. */
export function goOnIn(form: RefObject<HTMLFormElement | null>, name = ""): void {
  const fields = form.current?.elements;
  const field = fields?.namedItem(name) ?? form.current?.querySelector("input");
  if (field instanceof HTMLElement) field.focus();
}
