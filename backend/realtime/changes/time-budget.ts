import { createByteCache } from "#backend/memory/byte-cache.ts";

/** Room for some ten thousand people within a window. */
const MAX_BYTES = 2_000_000;
const NUMBER_BYTES = 8;

/** What each person may spend within windows of a fixed length. What a window was about is forgotten with it. */
export class TimeBudget {
  readonly #limitMs: number;
  readonly #windowMs: number;
  readonly #clock: () => number;
  readonly #spent = createByteCache<number>({ maxBytes: MAX_BYTES, sizeOf: () => NUMBER_BYTES });
  #since: number;

  /** `clock` gives milliseconds. */
  constructor(limitMs: number, windowMs: number, clock: () => number = Date.now) {
    this.#limitMs = limitMs;
    this.#windowMs = windowMs;
    this.#clock = clock;
    this.#since = clock();
  }

  spend(person: string, ms: number): void {
    this.#forgetOld();
    this.#spent.set(person, (this.#spent.peek(person) ?? 0) + ms);
  }

  /** Whether the person has none left until the window ends. */
  isSpent(person: string): boolean {
    this.#forgetOld();
    return (this.#spent.get(person) ?? 0) >= this.#limitMs;
  }

  #forgetOld(): void {
    const now = this.#clock();
    if (now - this.#since < this.#windowMs) return;
    this.#since = now;
    this.#spent.clear();
  }
}
