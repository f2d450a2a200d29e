import { formatStars } from "#domain/people/rating.ts";
import { Star } from "./stars.tsx";

const CHOICES = [1, 2, 3, 4, 5];

type StarPickerProps = { value: number; onChange: (stars: number) => void };

/** One to five stars: native radios, so that arrow keys and screen readers know them (2.community.08). */
export function StarPicker({ value, onChange }: StarPickerProps) {
  return (
    <fieldset className="star-picker">
      <legend className="field-label">Stars</legend>
      <div>
        {CHOICES.map((stars) => (
          <label key={stars} className={stars <= value ? "star-lit" : undefined}>
            <input
              type="radio"
              name="stars"
              value={stars}
              checked={stars === value}
              aria-label={formatStars(stars)}
              onChange={() => onChange(stars)}
            />
            <Star />
          </label>
        ))}
        <output className="figures">{formatStars(value)}</output>
      </div>
    </fieldset>
  );
}
