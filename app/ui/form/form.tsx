import { type ComponentProps, createContext, useContext } from "react";

/** What is wrong with a form's texts, by the names of its fields. */
export type Faults = Readonly<Record<string, string>>;

const FaultsContext = createContext<Faults>({});

export type FormProps = ComponentProps<"form"> & { faults?: Faults };

/** A form whose fields show their fault by their names: each of `ui/` is marked invalid and described by its sentence. */
export function Form({ faults = {}, ...props }: FormProps) {
  return (
    <FaultsContext.Provider value={faults}>
      <form {...props} />
    </FaultsContext.Provider>
  );
}

/** What the form says is wrong with its field of this name. */
export function useFault(name: string | undefined): string | null {
  const faults = useContext(FaultsContext);
  return name === undefined ? null : (faults[name] ?? null);
}

/** Ties a control to the note of its field, which shows the fault where there is one; several ids stand apart by spaces. */
export function faultProps(noteIds: string, fault: string | null) {
  return { "aria-describedby": noteIds, "aria-invalid": fault ? true : undefined };
}

/** Moves focus to the first wrong field; returns its sentence, or null where the form has none of them. */
export function focusFault(form: HTMLFormElement, faults: Faults): string | null {
  const first = ([...form.elements] as HTMLInputElement[]).find(({ name }) => Object.hasOwn(faults, name));
  first?.focus();
  return first ? (faults[first.name] ?? null) : null;
}
