/** Deletes `item` from the collection at `key`, and the collection once it is empty. */
export function removeFrom<Key, Item>(
  map: Map<Key, { delete(item: Item): boolean; size: number }>,
  key: Key,
  item: Item,
): void {
  const items = map.get(key);
  items?.delete(item);
  if (items?.size === 0) map.delete(key);
}
