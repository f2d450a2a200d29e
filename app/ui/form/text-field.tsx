import { type ComponentProps, useId } from "react";
import { classNames } from "../class-names.ts";
import { FaultNote, faultProps, useFault, useFormBusy } from "./form.tsx";

export type FieldProps = {
  label: string;
  hint?: string;
  /** The id of a further element of the field's description. */
  describedBy?: string;
  /** Shows `n/limit` in Unicode code points, as the limits are counted (P32). It informs and does not truncate. */
  limit?: number;
};

export type TextFieldProps = ComponentProps<"input"> & FieldProps;
export type TextAreaProps = ComponentProps<"textarea"> & FieldProps;

/** A labeled single-line field: `<TextField label="Name" name="name" limit={100} value={…} … />`. */
export function TextField(props: TextFieldProps) {
  return <Control as="input" {...props} />;
}

/** A multi-line field that grows with its text. */
export function TextArea(props: TextAreaProps) {
  return <Control as="textarea" {...(props as TextFieldProps)} />;
}

type ControlProps = TextFieldProps & { as: "input" | "textarea" };

function Control({ as, label, hint, limit, describedBy, className, ...props }: ControlProps) {
  const Tag = as as "input";
  const id = useId();
  const fault = useFault(props.name);
  const isBusy = useFormBusy();
  return (
    <Field {...{ id, label, fault, hint, limit, className }} required={props.required} text={props.value}>
      <Tag
        id={id}
        className="control"
        {...faultProps(classNames(`${id}-note`, describedBy), fault)}
        {...props}
        readOnly={props.readOnly || isBusy}
      />
    </Field>
  );
}

type FrameProps = FieldProps &
  Pick<ComponentProps<"div">, "className" | "children"> & {
    id: string;
    /** Shown in place of the hint. */
    fault: string | null;
    required?: boolean;
    text: unknown;
  };

/** The frame of a field: label above, note and counter below. */
export function Field({
  id,
  label,
  fault,
  hint,
  limit,
  required,
  text,
  className = "",
  children,
}: FrameProps) {
  return (
    <div data-slot="text-field" className={`field ${className}`}>
      <label className="field-label" htmlFor={id}>
        {label}
        {!required && <span className="font-normal text-muted"> (optional)</span>}
      </label>
      {children}
      <div className="field-foot">
        <FaultNote id={`${id}-note`} fault={fault} hint={hint} />
        {limit !== undefined && <Counter count={[...String(text ?? "")].length} limit={limit} />}
      </div>
    </div>
  );
}

function Counter({ count, limit }: { count: number; limit: number }) {
  return (
    <span className={`figures shrink-0 ${count > limit ? "field-error" : ""}`}>
      {count}/{limit}
    </span>
  );
}
