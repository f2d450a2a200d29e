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
