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

test("who comes, is taken back and comes again between two diffs is told as come", async () => {
  const { presence, diffs } = openRoom();
  presence.applyRemote("deck", [entry], []);
  // As when another process says hello twice, with everyone on it after each.
  presence.forget("there");
  presence.applyRemote("deck", [entry], []);
  await expect.poll(() => diffs.length).toBe(1);
  expect(diffs[0]).toEqual({ joins: { ana: { metas: [{ phx_ref: "1" }] } }, leaves: {} });
});

test("who is known, and gone and back between two diffs, is no news", async () => {
  const { presence, diffs } = openRoom();
  presence.applyRemote("deck", [entry], []);
  await expect.poll(() => diffs.length).toBe(1);
  presence.forget("there");
  presence.applyRemote("deck", [entry], []);
  await expect.poll(() => diffs.length).toBe(2);
  expect(diffs[1]).toEqual({ joins: {}, leaves: {} });
});
