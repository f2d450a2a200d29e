import { afterAll, beforeAll, expect, test } from "vitest";
import { readyDataDir } from "#tests/helpers/ready-data.ts";
import { get } from "./fuzz-request.ts";
import { judgeAnswer } from "./judge-answer.ts";
import { makeFuzz, type Planned, type ServiceName, TURNS } from "./make-fuzz.ts";
import { runFuzz } from "./run-fuzz.ts";
import { openTestBed, type TestBed } from "./test-bed.ts";
import { findHolders, judgeMemory } from "./watch-server.ts";

const SEED = 20_261_122;
const REQUESTS = 2_048;

let testBed: TestBed;
beforeAll(async () => {
  testBed = await openTestBed(readyDataDir());
});
afterAll(() => testBed.close());

test("requests by each service's grammar, many of them mutated, cause no server error and block nobody", async () => {
  const { requests, statuses, faults } = await runFuzz(testBed, { seed: SEED, requests: REQUESTS });
  expect(faults).toEqual([]);
  expect(requests).toBe(REQUESTS);
  // Requests that are all refused up front would prove little.
  const served = (service: ServiceName) =>
    (statuses[`${service} 2xx`] ?? 0) + (statuses[`${service} 1xx`] ?? 0);
  for (const service of new Set(TURNS)) expect(served(service), service).toBeGreaterThan(8);
  expect((await fetch(`${testBed.server.address}/healthz`)).status).toBe(200);
});

test("the same seed, service and number give the same request, other ones a different one", () => {
  for (const service of new Set(TURNS)) {
    const few = (seed: number) =>
      JSON.stringify([1, 2, 3].map((index) => makeFuzz(seed, service, index, testBed.schema)));
    expect(few(SEED)).toBe(few(SEED));
    expect(few(SEED)).not.toBe(few(SEED + 1));
  }
});

test("a failure, silence and a truncated answer are faults; a limit with a retry time is not", () => {
  const answer = (status: number, body = "", headers = {}) => ({ status, headers, body });
  expect(judgeAnswer("auth", answer(500, "oh"))).toBe("500 oh");
  expect(judgeAnswer("pages", answer(503))).toBe("503 ");
  expect(judgeAnswer("rest", { failure: "no answer within 40 s" })).toBe("no answer within 40 s");
  expect(judgeAnswer("rest", answer(500, '{"code":"XX000"}'))).not.toBeNull();
  expect(judgeAnswer("rest", answer(418))).toBeNull();
  expect(judgeAnswer("pages", answer(503, "", { "retry-after": "1" }))).toBeNull();
  expect(judgeAnswer("rest", answer(503, '{"code":"PT503"}'))).toBeNull();
});

test("a request that blocks the event loop every time is found among many, one that did so once is not", async () => {
  const planned = Array.from(
    { length: 70 },
    (_, index): Planned => ({ service: "pages", index, fuzz: get("/") }),
  );
  const holds = [120];
  let hold = 0;
  const readHold = async () => {
    const seen = hold;
    hold = 0;
    return seen;
  };
  const found = await findHolders({ ...testBed, readHold }, planned, async ({ index }) => {
    if (index === 41) hold = 80;
    if (index === 5) hold = holds.pop() ?? 0;
  });
  expect(found).toEqual([{ planned: planned[41], holdMs: 80 }]);
});

test("memory that grows with the requests is reported, memory that settles is not", () => {
  const looks = (memory: (at: number) => number) =>
    Array.from({ length: 80 }, (_, at) => ({ holdMs: 1, delayMs: 1, memory: memory(at) }));
  expect(judgeMemory(looks((at) => 300e6 + at * 4e6))).toBe("memory grew from 420 to 580 MB");
  expect(judgeMemory(looks((at) => Math.min(300e6, 200e6 + at * 10e6)))).toBeNull();
});
