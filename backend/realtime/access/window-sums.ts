import { createByteCache } from "#backend/memory/byte-cache.ts";

/** Room for some ten thousand keys within a window. */
const MAX_BYTES = 2_000_000;
const NUMBER_BYTES = 8;

/** Sums within windows of a fixed length, by address or person. What a window was about is forgotten with it. */
export class WindowSums {
  readonly #windowMs: number;
  readonly #clock: () => number;
  readonly #sums = createByteCache<number>({ maxBytes: MAX_BYTES, sizeOf: () => NUMBER_BYTES });
  #since: number;

  /** `clock` gives milliseconds. */
  constructor(windowMs: number, clock: () => number = () => performance.now()) {
    this.#windowMs = windowMs;
    this.#clock = clock;
    this.#since = clock();
  }

  /** Gives the sum with what was added. */
  add(key: string, amount: number): number {
    const sum = this.of(key) + amount;
    this.#sums.set(key, sum);
    return sum;
  }

  of(key: string): number {
    const now = this.#clock();
    if (now - this.#since >= this.#windowMs) {
      this.#since = now;
      this.#sums.clear();
    }
    return this.#sums.get(key) ?? 0;
  }
}
