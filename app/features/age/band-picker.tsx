import { useId } from "react";
import * as v from "valibot";
import { Choice } from "#app/ui/choice.tsx";
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
        <Choice key={value} type="radio" name="band" value={value}>
          {label}
        </Choice>
      ))}
      {fault && (
        <p id={id} role="alert" className="field-error">
          {fault}
        </p>
      )}
    </fieldset>
  );
}
