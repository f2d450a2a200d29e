import { execFileSync } from "node:child_process";
import { afterEach, expect, test } from "vitest";
import type { TracingSettings } from "../../configuration/tracing-settings.ts";
import { createSpans, type Spans } from "./create-spans.ts";

let spans: Spans | undefined;
afterEach(() => spans?.close());

const WANTED = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const UNWANTED = WANTED.replace(/01$/, "00");

async function isRecorded(sampler: TracingSettings["sampler"], ratio: number, from?: string) {
  await spans?.close();
  spans = await createSpans({ protocol: "http/json", sampler, ratio }, "1.0.0");
  return spans.beginRequest(from).span.isRecording();
}

test("the sampler decides, by the caller's word where its name says so", async () => {
  expect(await isRecorded("always_on", 1, UNWANTED)).toBe(true);
  expect(await isRecorded("always_off", 1, WANTED)).toBe(false);
  expect(await isRecorded("traceidratio", 0, WANTED)).toBe(false);
  expect(await isRecorded("traceidratio", 1)).toBe(true);
  expect(await isRecorded("parentbased_always_on", 1)).toBe(true);
  expect(await isRecorded("parentbased_always_on", 1, UNWANTED)).toBe(false);
  expect(await isRecorded("parentbased_always_off", 1, WANTED)).toBe(true);
  expect(await isRecorded("parentbased_traceidratio", 0)).toBe(false);
});

test("what is no trace's name begins a trace of its own", async () => {
  for (const odd of ["", "00-x", ["a", "b"], `${WANTED}-more`]) {
    spans = await createSpans({ protocol: "http/json", sampler: "always_on", ratio: 1 }, "1.0.0");
    const { span } = spans.beginRequest(odd);
    expect(span.spanContext().traceId).toMatch(/^[\da-f]{32}$/);
    expect(span.spanContext().traceId).not.toBe("0af7651916cd43dd8448eb211c80319c");
    await spans.close();
  }
});

test("nothing of it is loaded where no endpoint is set", () => {
  const load = (settings: string) =>
    execFileSync(process.execPath, [
      "--input-type=module",
      "--eval",
      `import { createRequire } from "node:module";
       const { startTracing } = await import("./server/observation/start-tracing.ts");
       await startTracing(${settings}, "1.0.0");
       const { cache } = createRequire(import.meta.url);
       console.log(Object.keys(cache).filter((name) => name.includes("opentelemetry")).length);
       process.exit();`,
    ]).toString();
  expect(Number(load("undefined"))).toBe(0);
  expect(Number(load('{ protocol: "http/json", sampler: "always_on", ratio: 1 }'))).toBeGreaterThan(10);
});
