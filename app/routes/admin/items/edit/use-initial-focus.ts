import { type RefObject, useEffect, useRef } from "react";

/** Scrolls a form that replaces a row into view, and focuses its field of this name. */
export function useInitialFocus(form: RefObject<HTMLFormElement | null>, name: string): void {
  const first = useRef(name).current;
  useEffect(() => {
    const field = form.current?.elements.namedItem(first);
    form.current?.scrollIntoView({ block: "nearest" });
    if (field instanceof HTMLInputElement) field.select();
  }, [form, first]);
}

/** When the focused element disappears, focuses the form's field of this name, or its first field if it has none. */
export function focusField(form: RefObject<HTMLFormElement | null>, name = ""): void {
  const fields = form.current?.elements;
  const field = fields?.namedItem(name) ?? form.current?.querySelector("input");
  if (field instanceof HTMLElement) field.focus();
}
