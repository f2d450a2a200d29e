/** Counts within fixed-length windows, the cheapest way to bound a flood. */
export class RateWindow {
  readonly #limit: number;
  readonly #windowMs: number;
  #startedAt = Number.NEGATIVE_INFINITY;
  #count = 0;

  constructor(limit: number, windowMs = 1_000) {
    this.#limit = limit;
    this.#windowMs = windowMs;
  }

  /** Counts one more; returns whether it is within the limit. */
  take(now = performance.now()): boolean {
    if (now - this.#startedAt >= this.#windowMs) {
      this.#startedAt = now;
      this.#count = 0;
    }
    return ++this.#count <= this.#limit;
  }

  /** How many were attempted in the current window. */
  get count(): number {
    return this.#count;
  }
}
