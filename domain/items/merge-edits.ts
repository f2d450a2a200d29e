/** Texts of a form by field. */
type Texts = Readonly<Record<string, unknown>>;

/** A field on which two people who edited the same thing differ. */
export type EditDifference = {
  field: string;
  base: unknown;
  mine: unknown;
  theirs: unknown;
  /** Both changed it, each in another way: somebody has to choose. */
  isClash: boolean;
};

/** Where two edits of the same texts differ, in the order of mine. */
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

/** Their texts with those of mine that only I changed, and of the clashes those that `keepMine` names. */
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

/** A box that nobody touched is as good as an empty text. */
function isSame(a: unknown, b: unknown): boolean {
  return (a ?? "") === (b ?? "");
}
