import { useId } from "react";
import { classNames } from "./class-names.ts";

type SegmentOption<T extends string> = { value: T; label: string };

export type SegmentedControlProps<T extends string> = {
  /** The label for screen readers, such as `View mode of Kitsune`. */
  label: string;
  options: readonly SegmentOption<T>[];
  value: T;
  onChange: (value: T) => void;
  /** The field name, if a form sends it without scripts. */
  name?: string;
  /** `compact`: full width and 38 px high, for cards and slots. */
  size?: "normal" | "compact";
  className?: string;
};

/**
 * A choice of a few, such as Regular and Permanent. Native radios: arrow keys, screen readers and forms work, and a
 * grid of 86 needs no script beyond the handler.
 */
export function SegmentedControl<T extends string>(props: SegmentedControlProps<T>) {
  const { label, options, value, onChange, size = "normal", className } = props;
  const id = useId();
  return (
    <fieldset
      data-slot="segmented-control"
      className={classNames("segments", size === "compact" && "segments-compact", className)}
    >
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className="segment">
          <input
            type="radio"
            name={props.name ?? id}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
