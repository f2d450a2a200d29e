type Kept<Key, Value> = { get(key: Key): Value | undefined; set(key: Key, value: NoInfer<Value>): unknown };

/** What a map has for a key; made and kept where it has nothing. */
export function getOrMake<Key, Value>(map: Kept<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = make();
  map.set(key, value);
  return value;
}
