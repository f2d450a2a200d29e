import { createByteCache } from "#backend/memory/byte-cache.ts";

/** Room for about ten thousand keys per window. */
const MAX_BYTES = 2_000_000;
const NUMBER_BYTES = 8;

/** Sums per key (a network address or a user) within fixed-length windows; all sums reset when a window ends. */
export class WindowSums {
  readonly #windowMs: number;
  readonly #clock: () => number;
  readonly #sums = createByteCache<number>({ maxBytes: MAX_BYTES, sizeOf: () => NUMBER_BYTES });
  #since: number;

  /** `clock` returns milliseconds. */
  constructor(windowMs: number, clock: () => number = () => performance.now()) {
    this.#windowMs = windowMs;
    this.#clock = clock;
    this.#since = clock();
  }

  /** Returns the new sum. */
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
