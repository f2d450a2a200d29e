import {
  type ComponentProps,
  createContext,
  type KeyboardEvent,
  type SyntheticEvent,
  useContext,
} from "react";

/** Validation errors by field name. */
export type Faults = Readonly<Record<string, string>>;

/** A form's errors, whether a toast announces them, and whether it is being sent. */
type Shown = { faults?: Faults; isTold?: boolean; isBusy?: boolean };

const ShownContext = createContext<Shown>({});

export type FormProps = ComponentProps<"form"> & Shown;

/**
 * A form whose fields show their error by name: each `ui/` field is marked invalid and described by the message. While it
 * is being sent, its choices stay as they are.
 */
export function Form({ faults, isTold, isBusy, ...props }: FormProps) {
  return (
    <ShownContext.Provider value={{ faults, isTold, isBusy }}>
      <form {...props} {...(isBusy && FIXED)} />
    </ShownContext.Provider>
  );
}

/** Unlike texts, choices cannot be read-only, and disabled ones would lose the focus. */
const FIXED = {
  onClickCapture: keepChoice,
  onMouseDownCapture: keepChoice,
  onKeyDownCapture: keepFromKeys,
  // By other means, as of an assistive technology.
  onChangeCapture: keepChoice,
};

function keepChoice(event: SyntheticEvent<HTMLFormElement>): void {
  const { form, type } = event.target as HTMLInputElement;
  // For React, a dialog inside the form is part of it.
  if (form !== event.currentTarget || !["radio", "checkbox", "select-one"].includes(type)) return;
  event.preventDefault();
  event.stopPropagation();
}

/** All but those that leave the control, the dialog or the page. */
function keepFromKeys(event: KeyboardEvent<HTMLFormElement>): void {
  const { key, ctrlKey, metaKey } = event;
  if (!["Tab", "Escape", "F5"].includes(key) && !ctrlKey && !metaKey) keepChoice(event);
}

/** The form's error for the field of this name. */
export function useFault(name: string | undefined): string | null {
  const { faults } = useContext(ShownContext);
  return name === undefined ? null : (faults?.[name] ?? null);
}

/** Whether the form is being sent: its texts keep focus and take no typing. */
export const useFormBusy = (): boolean => useContext(ShownContext).isBusy ?? false;

/** A field's note: its error, or else its hint. Screen readers announce an error here only if no toast does. */
export function FaultNote({ id, fault, hint }: { id: string; fault: string | null; hint?: string }) {
  const { isTold } = useContext(ShownContext);
  return (
    <span id={id} className={fault ? "field-error" : undefined} role={fault && !isTold ? "alert" : undefined}>
      {fault || hint}
    </span>
  );
}

/** Ties a control to its field's note, which shows the error if there is one; several ids are separated by spaces. */
export function faultProps(noteIds: string, fault: string | null) {
  return { "aria-describedby": noteIds, "aria-invalid": fault ? true : undefined };
}

/** Focuses the first invalid field; returns its message, or null if the form has none of them. */
export function focusFault(form: HTMLFormElement, faults: Faults): string | null {
  const first = ([...form.elements] as HTMLInputElement[]).find(({ name }) => Object.hasOwn(faults, name));
  first?.focus();
  return first ? (faults[first.name] ?? null) : null;
}
