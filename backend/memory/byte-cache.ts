import { LRUCache } from "lru-cache";

export type ByteCacheOptions<V> = {
  /** Bytes kept at most, keys included; the longest unused go first, and what is larger than all of it is not kept. */
  maxBytes: number;
  /** Bytes that a value takes, whatever its key has. */
  sizeOf: (value: V) => number;
  /** Called for each value that is dropped, whatever for. */
  onDrop?: (value: V, key: string) => void;
  /** Milliseconds after which a value is forgotten. */
  lifetime?: number;
};

/** What an entry takes beside its key and value: places in a hash table and in two lists. */
const ENTRY_BYTES = 100;

/** What is remembered of what strangers ask: they choose how much that is, so a cache has a limit in bytes or is none. */
export function createByteCache<V extends NonNullable<unknown>>(options: ByteCacheOptions<V>) {
  const { maxBytes, sizeOf, onDrop, lifetime } = options;
  return new LRUCache<string, V>({
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: (value, key) => sizeOfText(key) + sizeOf(value) + ENTRY_BYTES,
    ...(onDrop && { dispose: onDrop }),
    ...(lifetime !== undefined && { ttl: lifetime }),
  });
}

/** Two bytes a letter, as JavaScript keeps whatever is beyond Latin-1. */
export function sizeOfText(text: string): number {
  return text.length * 2;
}
