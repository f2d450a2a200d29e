import { LRUCache } from "lru-cache";

export type ByteCacheOptions<V> = {
  /**
   * Maximum bytes, including keys; the least recently used are evicted, and entries larger than the cache are not kept.
   */
  maxBytes: number;
  /** Bytes that a value takes, not counting its key. */
  sizeOf: (value: V) => number;
  /** Called for each value that is removed, for whatever reason. */
  onDrop?: (value: V, key: string) => void;
  /** Milliseconds after which a value expires. */
  lifetime?: number;
};

/** Overhead per entry: slots in a hash table and two lists. */
const ENTRY_BYTES = 100;

/**
 * A cache for data derived from client input: clients determine how much there is, so the limit in bytes is required.
 */
export function createByteCache<V extends NonNullable<unknown>>(options: ByteCacheOptions<V>) {
  const { maxBytes, sizeOf, onDrop, lifetime } = options;
  return new LRUCache<string, V>({
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: (value, key) => sizeOfText(key) + sizeOf(value) + ENTRY_BYTES,
    ...(onDrop && { dispose: onDrop }),
    ...(lifetime !== undefined && { ttl: lifetime }),
  });
}

/** Two bytes per character, as JavaScript stores any text beyond Latin-1. */
export function sizeOfText(text: string): number {
  return text.length * 2;
}
