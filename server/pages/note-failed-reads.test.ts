import { expect, test } from "vitest";
import { noteFailedReads, tellingFailures } from "./note-failed-reads.ts";

const answering = (status: number) => tellingFailures(async () => new Response(null, { status }));
const broken = tellingFailures(() => Promise.reject(new Error("gone")));
const read = (ask: typeof fetch) => ask("http://backend.internal/").catch(() => null);

test.each([
  ["an answer", answering(200), false],
  ["a row that does not exist", answering(406), false],
  ["a refusal", answering(401), true],
  ["a failure", answering(504), true],
  ["no answer", broken, true],
])("of a render with %s as one of its reads", async (_, ask, expected) => {
  const render = async () => void (await Promise.all([read(answering(200)), read(ask)]));
  expect((await noteFailedReads(render)).failed).toBe(expected);
});

test("one render's failure is not another's", async () => {
  const [one, other] = await Promise.all([
    noteFailedReads(() => read(broken)),
    noteFailedReads(() => read(answering(200))),
  ]);
  expect([one.failed, other.failed]).toEqual([true, false]);
});
