type Fields = Readonly<Record<string, unknown>>;

/** Whether a row has what was sent in each column that was sent, such as after a save whose answer was lost. */
export function holds(row: object, sent: object): boolean {
  return Object.entries(sent).every(([column, value]) => isEqual((row as Fields)[column], value));
}

/** Objects come back with their keys in another order. */
function isEqual(stored: unknown, sent: unknown): boolean {
  if (!isObject(stored) || !isObject(sent)) return (stored ?? null) === (sent ?? null);
  return Object.keys(stored).length === Object.keys(sent).length && holds(stored, sent);
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
