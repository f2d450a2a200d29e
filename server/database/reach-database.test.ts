import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { ServerConfig } from "../configuration/config.ts";
import { lockDataDir, UNFINISHED_RESTORE } from "../data-dir/lock-data-dir.ts";
import { reachDatabase } from "./reach-database.ts";

const openNone = () => Promise.reject(new Error("opened another one"));

/** A data folder with the URL that a running database, or a killed one, leaves there. */
function makeDataDir(): ServerConfig {
  const dataDir = mkdtempSync(join(tmpdir(), "reach-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  writeFileSync(join(dataDir, "database-url"), "postgres://it\n");
  return { dataDir } as ServerConfig;
}

test("the database of a running site is used", async () => {
  const config = makeDataDir();
  const lock = lockDataDir(config.dataDir);
  onTestFinished(() => lock.release());
  expect(await reachDatabase(config, openNone)).toMatchObject({ url: "postgres://it" });
});

test("the database that a killed restore left behind is refused by name", async () => {
  const config = makeDataDir();
  writeFileSync(join(config.dataDir, UNFINISHED_RESTORE), "");
  await expect(reachDatabase(config, openNone)).rejects.toThrow("A backup was not restored to its end");
});
