import { EN_DASH } from "#domain/values/value-text.ts";

/** A figure as shown on a page; the en dash of a missing one is read aloud as `none`. */
export function FigureText({ text, unit }: { text: string; unit?: string }) {
  if (text === EN_DASH) return <NoFigure />;
  return unit ? `${text} ${unit}` : text;
}

/** The en dash in place of a missing figure. */
export function NoFigure() {
  return (
    <span role="img" aria-label="none">
      {EN_DASH}
    </span>
  );
}
