import { type ComponentProps, useId } from "react";

export type FieldProps = {
  label: string;
  /** What is wrong with the text; shown and announced in place of the hint. */
  error?: string | null;
  hint?: string;
  /** Shows `n/limit` in Unicode code points, as the limits are counted (decision 32). It informs and does not cut. */
  limit?: number;
};

export type TextFieldProps = ComponentProps<"input"> & FieldProps;
export type TextAreaProps = ComponentProps<"textarea"> & FieldProps;

/** A labelled line of text: `<TextField label="Name" name="name" error={errors.name} limit={100} value={…} … />`. */
export function TextField({ label, error, hint, limit, className, ...props }: TextFieldProps) {
  const id = useId();
  return (
    <Field {...{ id, label, error, hint, limit, className }} required={props.required} text={props.value}>
      <input id={id} className="control" {...fieldNote(id, error)} {...props} />
    </Field>
  );
}

/** The same over several lines; it grows with the text. */
export function TextArea({ label, error, hint, limit, className, ...props }: TextAreaProps) {
  const id = useId();
  return (
    <Field {...{ id, label, error, hint, limit, className }} required={props.required} text={props.value}>
      <textarea id={id} className="control" {...fieldNote(id, error)} {...props} />
    </Field>
  );
}

type FrameProps = FieldProps &
  Pick<ComponentProps<"div">, "className" | "children"> & {
    id: string;
    required?: boolean;
    text: unknown;
  };

/** The frame of a field: label above, note and counter below. */
export function Field({
  id,
  label,
  error,
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
        <span
          id={`${id}-note`}
          className={error ? "field-error" : undefined}
          role={error ? "alert" : undefined}
        >
          {error || hint}
        </span>
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

/** Ties a control to the note of its field. */
export function fieldNote(id: string, error: FieldProps["error"]) {
  return { "aria-describedby": `${id}-note`, "aria-invalid": error ? true : undefined };
}
