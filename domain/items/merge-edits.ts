/** Form texts by field. */
type Texts = Readonly<Record<string, unknown>>;

/** A field that differs between two concurrent edits. */
export type EditDifference = {
  field: string;
  base: unknown;
  mine: unknown;
  theirs: unknown;
  /** Both changed it to different values: the user has to choose. */
  isClash: boolean;
};

/** The fields in which two edits of the same texts differ, in the order of `mine`. */
export function compareEdits(base: Texts, mine: Texts, theirs: Texts): EditDifference[] {
  return Object.keys({ ...mine, ...theirs })
    .filter((field) => !isSame(mine[field], theirs[field]))
    .map((field) => ({
      field,
      base: base[field],
      mine: mine[field],
      theirs: theirs[field],
      isClash: !isSame(base[field], mine[field]) && !isSame(base[field], theirs[field]),
    }));
}

/** `theirs`, plus the fields that only `mine` changed and the conflicts that `keepMine` names. */
export function mergeEdits(
  differences: readonly EditDifference[],
  theirs: Texts,
  keepMine: ReadonlySet<string>,
): Record<string, unknown> {
  const kept = differences.filter(({ field, base, theirs: their, isClash }) =>
    isClash ? keepMine.has(field) : isSame(base, their),
  );
  return { ...theirs, ...Object.fromEntries(kept.map(({ field, mine }) => [field, mine])) };
}

/** An untouched checkbox equals an empty text. */
function isSame(a: unknown, b: unknown): boolean {
  return (a ?? "") === (b ?? "");
}
