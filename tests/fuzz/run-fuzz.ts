import type { Fuzz } from "./fuzz-request.ts";
import { isLimit, judgeAnswer } from "./judge-answer.ts";
import { makeFuzz, type Planned, type ServiceName, serviceOf } from "./make-fuzz.ts";
import { createSender, type Outcome } from "./send-fuzz.ts";
import type { TestBed } from "./test-bed.ts";
import { findHolders, judgeMemory, LONGEST_HOLD_MS, type Look, look, medianOf } from "./watch-server.ts";

export type FuzzOptions = {
  seed: number;
  requests: number;
  /** The number of the first request. */
  from?: number;
  /** Default: all services, in rotation. */
  only?: readonly ServiceName[];
  report?: (line: string) => void;
};

export type FuzzResult = {
  requests: number;
  frames: number;
  /** Number of answers by service and status class. */
  statuses: Record<string, number>;
  limits: number;
  /** The longest hold seen, across all requests. */
  longestHoldMs: number;
  longestDelayMs: number;
  looks: Look[];
  faults: string[];
};

const LANES = 16;
const BATCH = 512;
const RENEW_EVERY = 8_192;
/** More faults of the same kind add nothing. */
const FAULTS_OF_A_KIND = 3;

/** Sends this many requests for a seed, and judges each answer and the server's state. */
export async function runFuzz(testBed: TestBed, options: FuzzOptions): Promise<FuzzResult> {
  const { seed, requests, from = 0, only = [], report = () => {} } = options;
  const sender = createSender(testBed);
  const result: FuzzResult = {
    requests: 0,
    frames: 0,
    statuses: {},
    limits: 0,
    longestHoldMs: 0,
    longestDelayMs: 0,
    looks: [],
    faults: [],
  };
  const kinds = new Map<string, number>();
  const note = ({ service, index, fuzz }: Planned, what: string) => {
    const kind = `${service} ${what.replace(/[\d"'].*/s, "")}${what.slice(0, 60)}`;
    const count = (kinds.get(kind) ?? 0) + 1;
    kinds.set(kind, count);
    if (count > FAULTS_OF_A_KIND) return;
    const fault = `--seed=${seed} --only=${service} --from=${index} --requests=1: ${what}\n  ${describe(fuzz)}`;
    result.faults.push(fault);
    report(fault);
  };
  const ask = async (planned: Planned) => {
    const outcome = await sender.send(planned.fuzz, planned.index);
    count(result, planned, outcome);
    const fault = judgeAnswer(planned.service, outcome);
    if (fault) note(planned, fault);
  };
  for (let done = 0; done < requests; done += BATCH) {
    if (done % RENEW_EVERY === 0 && done > 0) await testBed.renew();
    await look(testBed);
    const batch = Array.from({ length: Math.min(BATCH, requests - done) }, (_, at): Planned => {
      const index = from + done + at;
      const service = serviceOf(index, only);
      return { service, index, fuzz: makeFuzz(seed, service, index, testBed.schema) };
    });
    await inLanes(batch, ask);
    const seen = await look(testBed);
    result.looks.push(seen);
    result.longestHoldMs = Math.max(result.longestHoldMs, seen.holdMs);
    result.longestDelayMs = Math.max(result.longestDelayMs, seen.delayMs);
    if (seen.holdMs > LONGEST_HOLD_MS)
      for (const { planned, holdMs } of await findHolders(testBed, batch, (one) =>
        sender.send(one.fuzz, one.index),
      ))
        note(planned, `holds the event loop for ${Math.round(holdMs)} ms`);
  }
  const grown = judgeMemory(result.looks);
  if (grown) result.faults.push(grown);
  sender.close();
  return result;
}

async function inLanes(batch: readonly Planned[], ask: (one: Planned) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    for (let one = batch[next++]; one; one = batch[next++]) await ask(one);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

function count(result: FuzzResult, { service, fuzz }: Planned, outcome: Outcome): void {
  result.requests += 1;
  if ("frames" in fuzz) result.frames += fuzz.frames.length;
  const status = "failure" in outcome ? "none" : `${Math.floor(outcome.status / 100)}xx`;
  const key = `${service} ${status}`;
  result.statuses[key] = (result.statuses[key] ?? 0) + 1;
  if ("status" in outcome && isLimit(outcome.status, outcome.headers)) result.limits += 1;
}

function describe(fuzz: Fuzz): string {
  const text = JSON.stringify(fuzz, (_, value) =>
    value?.type === "Buffer" ? Buffer.from(value.data).toString("latin1") : value,
  );
  return text.length > 1_500 ? `${text.slice(0, 1_500)}…` : text;
}

/** One line with the request counts and how the server coped. */
export function summarize({
  requests,
  frames,
  limits,
  longestHoldMs,
  longestDelayMs,
  looks,
  faults,
}: FuzzResult): string {
  const mb = (few: readonly Look[]) => Math.round(medianOf(few.map(({ memory }) => memory)) / 1e6);
  const quarter = Math.max(1, Math.floor(looks.length / 4));
  return [
    `${requests} requests and ${frames} frames on sockets`,
    `${limits} answers of a limit`,
    `longest turn of the event loop ${Math.round(longestHoldMs)} ms, longest delay on this machine ${Math.round(longestDelayMs)} ms`,
    `memory ${mb(looks.slice(quarter, 2 * quarter))} MB in the second quarter, ${mb(looks.slice(-quarter))} MB in the last`,
    `${faults.length} faults`,
  ].join("; ");
}
