import { createByteCache } from "#backend/memory/byte-cache.ts";

/** Room for some ten thousand addresses within a second; whoever has more has a network of their own. */
const MAX_BYTES = 2_000_000;
const NUMBER_BYTES = 8;

/** Counts within windows of a second for each network address. What a second was about is forgotten with it. */
export class AddressRates {
  readonly #limit: number;
  readonly #counts = createByteCache<number>({ maxBytes: MAX_BYTES, sizeOf: () => NUMBER_BYTES });
  #since = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether so many more are within the limit. */
  take(address: string, count: number, now = Date.now()): boolean {
    if (now - this.#since >= 1_000) {
      this.#since = now;
      this.#counts.clear();
    }
    const total = (this.#counts.get(address) ?? 0) + count;
    this.#counts.set(address, total);
    return total <= this.#limit;
  }
}
