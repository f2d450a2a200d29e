/** Seeded random numbers (mulberry32): the same seed makes the same choices. */
export class Chance {
  #state: number;

  constructor(state: number) {
    this.#state = state;
  }

  /** From 0 (inclusive) to 1 (exclusive). */
  random(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  chance(share: number): boolean {
    return this.random() < share;
  }

  between(least: number, most: number): number {
    return least + Math.floor(this.random() * (most - least + 1));
  }

  pick<T>(list: readonly T[]): T {
    return list[this.between(0, list.length - 1)] as T;
  }
}
