/** The name, or the first of `name 2`, `name 3` … that nothing of this person has yet: names are taken once. */
export function freeName(name: string, taken: readonly (string | undefined)[]): string {
  let free = name;
  for (let count = 2; taken.includes(free); count++) free = `${name} ${count}`;
  return free;
}
