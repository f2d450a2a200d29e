/** The number of insertions, deletions, substitutions and transpositions that turn one text into the other. */
export function editDistance(a: string, b: string): number {
  let [before, previous] = [[] as number[], Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1;
      let least = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + same,
      );
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isSwap) least = Math.min(least, at(before, column - 2) + 1);
      current.push(least);
    }
    [before, previous] = [previous, current];
  }
  return at(previous, b.length);
}

const at = (row: number[], column: number) => row[column] ?? 0;
