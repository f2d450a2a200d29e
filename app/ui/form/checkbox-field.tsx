import { type ComponentProps, type ReactNode, useId } from "react";

export type CheckboxFieldProps = Omit<ComponentProps<"input">, "type" | "className"> & {
  label: ReactNode;
  hint?: ReactNode;
};

/** A native checkbox with its label: `<CheckboxField label="Enabled" name="enabled" defaultChecked />`. */
export function CheckboxField({ label, hint, ...props }: CheckboxFieldProps) {
  const id = useId();
  return (
    <div data-slot="checkbox-field" className="flex min-h-11 items-start gap-3">
      <input
        id={id}
        type="checkbox"
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="mt-3 size-5 shrink-0 accent-accent-text"
        {...props}
      />
      <div>
        {/* Relative: above the hint, which begins within its press area. */}
        <label htmlFor={id} className="relative block cursor-pointer py-2.5 font-semibold">
          {label}
        </label>
        {hint && (
          <span id={`${id}-hint`} className="-mt-2.5 block pb-2.5 text-muted text-sm">
            {hint}
          </span>
        )}
      </div>
    </div>
  );
}
