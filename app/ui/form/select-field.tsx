import { type ComponentProps, useId } from "react";
import { faultProps, useFault } from "./form.tsx";
import { Field, type FieldProps } from "./text-field.tsx";

export type SelectFieldProps = ComponentProps<"select"> &
  Omit<FieldProps, "limit"> & {
    options: readonly { value: string; label: string }[];
  };

/** A labeled native select: `<SelectField label="Type" name="type" options={…} required />`. */
export function SelectField({ label, hint, className, options, ...props }: SelectFieldProps) {
  const id = useId();
  const fault = useFault(props.name);
  return (
    <Field {...{ id, label, fault, hint, className }} required={props.required} text="">
      <select id={id} className="control" {...faultProps(`${id}-note`, fault)} {...props}>
        {options.map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
}
