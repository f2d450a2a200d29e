/** The phases of a request, in order. */
type Phase = "jwt" | "parse" | "plan" | "transaction" | "response";

/** Measures the duration of each phase; for a refused request, up to the phase that refused it. */
export class ServerTiming {
  readonly #taken = new Map<Phase, number>();
  #phase: Phase | null = null;
  #since = 0;

  /** Ends the previous phase; beginning a phase again adds to its time. */
  begin(phase: Phase): void {
    this.#end();
    this.#phase = phase;
  }

  /** The value of the Server-Timing header. */
  header(): string {
    this.#end();
    return [...this.#taken].map(([phase, time]) => `${phase};dur=${time.toFixed(1)}`).join(", ");
  }

  #end(): void {
    const now = performance.now();
    if (this.#phase) this.#taken.set(this.#phase, (this.#taken.get(this.#phase) ?? 0) + now - this.#since);
    this.#phase = null;
    this.#since = now;
  }
}
