import { createByteCache } from "#backend/memory/byte-cache.ts";
import type { ObjectStore } from "./object-store.ts";

/** Larger files are streamed, so that a slow reader holds no more memory than this. */
export const LARGEST_HELD = 256 * 1024;

/**
 * The store with small files held in memory, up to `maxBytes` in all: opening, reading and closing a file costs several
 * times what sending it does. A file never changes, and is reached only through its object's row, which is read each
 * time, so nothing here can be out of date.
 */
export function holdSmallFiles(store: ObjectStore, maxBytes: number): ObjectStore {
  const held = createByteCache<Uint8Array>({ maxBytes, sizeOf: ({ byteLength }) => byteLength });
  return {
    ...store,
    async readWhole(version, size) {
      const known = held.get(version);
      if (known) return known;
      const bytes = await store.readWhole(version, size);
      if (size <= LARGEST_HELD) held.set(version, bytes);
      return bytes;
    },
    async remove(versions) {
      for (const version of versions) held.delete(version);
      await store.remove(versions);
    },
  };
}
