import { expect, test } from "vitest";
import { Presence } from "./presence.ts";

const entry = { ref: "1", key: "ana", meta: { phx_ref: "1" }, process: "there" };

function openRoom() {
  const diffs: { joins: object; leaves: object }[] = [];
  const presence = new Presence({
    process: "here",
    onDiff: (_, diff) => diffs.push(JSON.parse(diff)),
    onOwnChange: () => {},
  });
  return { presence, diffs };
}

test("a key that joins, leaves and joins again between two diffs is a join", async () => {
  const { presence, diffs } = openRoom();
  presence.applyRemote("deck", [entry], []);
  // As when another process says hello twice, followed by its full state each time.
  presence.forget("there");
  presence.applyRemote("deck", [entry], []);
  await expect.poll(() => diffs.length).toBe(1);
  expect(diffs[0]).toEqual({ joins: { ana: { metas: [{ phx_ref: "1" }] } }, leaves: {} });
});

test("a known key that leaves and returns between two diffs is unchanged", async () => {
  const { presence, diffs } = openRoom();
  presence.applyRemote("deck", [entry], []);
  await expect.poll(() => diffs.length).toBe(1);
  presence.forget("there");
  presence.applyRemote("deck", [entry], []);
  await expect.poll(() => diffs.length).toBe(2);
  expect(diffs[1]).toEqual({ joins: {}, leaves: {} });
});

test("a client that is sent the state while a known key is away learns of its return from the next diff", async () => {
  const { presence, diffs } = openRoom();
  presence.applyRemote("deck", [entry], []);
  await expect.poll(() => diffs.length).toBe(1);
  presence.forget("there");
  expect(presence.state("deck")).toBe("{}");
  presence.applyRemote("deck", [entry], []);
  await expect.poll(() => diffs.length).toBe(2);
  expect(diffs[1]).toEqual({ joins: { ana: { metas: [{ phx_ref: "1" }] } }, leaves: {} });
});

test("whoever is tracked again with the same payload stays as they are", async () => {
  const { presence, diffs } = openRoom();
  const ref = presence.track("deck", "ana", { at: "helm", log: [1] }, null);
  await expect.poll(() => diffs.length).toBe(1);
  expect(presence.track("deck", "ana", { log: [1], at: "helm" }, ref)).toBe(ref);
  expect(presence.track("deck", "ana", { at: "bow" }, ref)).not.toBe(ref);
  await expect.poll(() => diffs.length).toBe(2);
  expect(diffs[1]).toMatchObject({ joins: { ana: { metas: [{ at: "bow", phx_ref_prev: ref }] } } });
});
