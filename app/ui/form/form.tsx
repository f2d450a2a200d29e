import { type ComponentProps, createContext, useContext } from "react";

/** Validation errors by field name. */
export type Faults = Readonly<Record<string, string>>;

const FaultsContext = createContext<Faults>({});

export type FormProps = ComponentProps<"form"> & { faults?: Faults };

/** A form whose fields show their error by name: each `ui/` field is marked invalid and described by the message. */
export function Form({ faults = {}, ...props }: FormProps) {
  return (
    <FaultsContext.Provider value={faults}>
      <form {...props} />
    </FaultsContext.Provider>
  );
}

/** The form's error for the field of this name. */
export function useFault(name: string | undefined): string | null {
  const faults = useContext(FaultsContext);
  return name === undefined ? null : (faults[name] ?? null);
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
