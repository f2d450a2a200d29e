import { type ComponentProps, useId } from "react";
import { FaultNote, faultProps, useFault } from "./form/form.tsx";

/** A native radio or checkbox with its label: `<Choice type="radio" name="code" value="spam">Spam</Choice>`. */
export function Choice({ children, ...input }: ComponentProps<"input">) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3 py-1">
      <input className="size-5 shrink-0 accent-accent-text" {...input} />
      <span className="wrap-anywhere">{children}</span>
    </label>
  );
}

export type ChoiceGroupProps = {
  legend: string;
  name: string;
  options: readonly { value: string; label: string }[];
};

/** One of several, none preselected: native radios, so that arrow keys and screen readers work. */
export function ChoiceGroup({ legend, name, options }: ChoiceGroupProps) {
  const noteId = useId();
  const fault = useFault(name);
  return (
    <div data-slot="choice-group">
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a group of radios may be marked invalid, a plain fieldset may not */}
      <fieldset role="radiogroup" className="grid gap-1" {...faultProps(noteId, fault)}>
        <legend className="field-label">{legend}</legend>
        {options.map(({ value, label }) => (
          <Choice key={value} type="radio" name={name} value={value}>
            {label}
          </Choice>
        ))}
      </fieldset>
      <FaultNote id={noteId} fault={fault} />
    </div>
  );
}
