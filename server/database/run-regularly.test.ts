import { expect, test } from "vitest";
import { relayDatabase } from "#tests/helpers/database-relay.ts";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { runRegularly } from "./run-regularly.ts";

const database = ownDatabase();

test("a job goes on once its connection, which fell silent, was given up on, and tells that once", async () => {
  const relay = await relayDatabase(database.url);
  const told: string[] = [];
  let runs = 0;
  const onFailure = (why: string) => void told.push(why);
  const job = runRegularly({ url: relay.url, every: 10, answerTimeout: 1_000, onFailure }, async (query) => {
    await query("select 1");
    runs += 1;
  });
  await expect.poll(() => runs).toBeGreaterThan(0);
  relay.fallSilent();
  await expect.poll(() => told).toEqual(["the database can't be reached"]);
  const before = runs;
  await expect.poll(() => runs).toBeGreaterThan(before);
  await job.stop();
  await relay.close();
});
