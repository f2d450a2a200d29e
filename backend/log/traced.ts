import type { LogText } from "./log-text.ts";

/** A span's name and attributes; as in the log, no user input is included. */
export type SpanFacts = { name: LogText; facts: Readonly<Record<string, LogText | number>> };

export type Trace = {
  /** Whether there is an active span to be the parent of another. */
  isWithin(): boolean;
  /** Runs the work in a span of its own. */
  run<T>(facts: SpanFacts, work: () => Promise<T>): Promise<T>;
};

let trace: Trace | null = null;

/** Sets the process's trace; without one, spans are not even described. */
export function traceBy(next: Trace | null): void {
  trace = next;
}

/** Runs work in a span, which is a root span if no other is active. */
export function traced<T>(describe: () => SpanFacts, work: () => Promise<T>): Promise<T> {
  return trace ? trace.run(describe(), work) : work();
}

/** The same, but only within another span. */
export function tracedWithin<T>(describe: () => SpanFacts, work: () => Promise<T>): Promise<T> {
  return trace?.isWithin() ? trace.run(describe(), work) : work();
}
