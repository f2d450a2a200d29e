import type { Sentence } from "./sentence.ts";

/** What a span says; as in the log, no person's word gets in. */
export type SpanFacts = { name: Sentence; facts: Readonly<Record<string, Sentence | number>> };

export type Trace = {
  /** Whether there is a span that another one would belong to. */
  isWithin(): boolean;
  /** Runs the work as a span of its own. */
  run<T>(facts: SpanFacts, work: () => Promise<T>): Promise<T>;
};

let trace: Trace | null = null;

/** For this process; without it, nothing is even described. */
export function traceBy(next: Trace | null): void {
  trace = next;
}

/** Work that a trace shows, on its own where nothing it belongs to is traced. */
export function traced<T>(describe: () => SpanFacts, work: () => Promise<T>): Promise<T> {
  return trace ? trace.run(describe(), work) : work();
}

/** The same, but of no interest on its own. */
export function tracedWithin<T>(describe: () => SpanFacts, work: () => Promise<T>): Promise<T> {
  return trace?.isWithin() ? trace.run(describe(), work) : work();
}
