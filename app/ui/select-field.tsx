import { type ComponentProps, useId } from "react";
import { Field, type FieldProps, fieldNote } from "./text-field.tsx";

export type SelectFieldProps = ComponentProps<"select"> &
  Omit<FieldProps, "limit"> & {
    options: readonly { value: string; label: string }[];
  };

/** A labelled choice, by the browser's own list: `<SelectField label="Type" name="type" options={…} required />`. */
export function SelectField({ label, error, hint, className, options, ...props }: SelectFieldProps) {
  const id = useId();
  return (
    <Field {...{ id, label, error, hint, className }} required={props.required} text="">
      <select id={id} className="control" {...fieldNote(id, error)} {...props}>
        {options.map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
}
