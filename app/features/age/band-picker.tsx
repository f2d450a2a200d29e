import { useId } from "react";
import * as v from "valibot";
import { useFault } from "#app/ui/form/form.tsx";
import { AGE_BANDS } from "#domain/people/age-bands.ts";

/** One of the groups; `missing` is said where none is chosen. */
export const bandSchema = (missing: string) =>
  v.object({ band: v.pipe(v.optional(v.string(), ""), v.nonEmpty(missing)) });

/** Native radios, so that arrow keys and screen readers know them. */
export function BandPicker({ legend }: { legend: string }) {
  const id = useId();
  const fault = useFault("band");
  return (
    <fieldset className="grid gap-1" aria-describedby={fault ? id : undefined}>
      <legend className="field-label">{legend}</legend>
      {AGE_BANDS.map(({ value, label }) => (
        <label key={value} className="flex min-h-11 cursor-pointer items-center gap-3">
          <input type="radio" name="band" value={value} className="size-5 accent-accent-text" />
          {label}
        </label>
      ))}
      {fault && (
        <p id={id} role="alert" className="field-error">
          {fault}
        </p>
      )}
    </fieldset>
  );
}
