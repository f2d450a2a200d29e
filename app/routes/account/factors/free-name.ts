/** The name, or the first of `name 2`, `name 3` … that the user has not taken yet, since names must be unique. */
export function freeName(name: string, taken: readonly (string | undefined)[]): string {
  let free = name;
  for (let count = 2; taken.includes(free); count++) free = `${name} ${count}`;
  return free;
}
