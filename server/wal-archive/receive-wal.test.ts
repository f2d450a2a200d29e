import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from "vitest";
import { ARCHIVE_NAME, receiveWal } from "./receive-wal.ts";
import "#tests/helpers/database-setup.ts";

const owner = new Client({ connectionString: inject("testCluster").url });
beforeAll(() => owner.connect());
afterAll(() => owner.end());

/** Archives into a folder of its own; the slot is dropped when the test ends. */
function receive(onKept: () => void, patience: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "receive-wal-"));
  onTestFinished(async () => {
    await expect.poll(findSender).toBeUndefined();
    await owner.query("select pg_drop_replication_slot($1)", [ARCHIVE_NAME]);
    rmSync(folder, { recursive: true });
  });
  return receiveWal(inject("testCluster").url, folder, onKept, patience);
}

async function findSender(): Promise<number | undefined> {
  const { rows } = await owner.query("select pid from pg_stat_replication where application_name = $1", [
    ARCHIVE_NAME,
  ]);
  return rows[0]?.pid;
}

test("a sender that hangs is told from a disk that does: archiving ends, to begin again", async () => {
  const kept = Promise.withResolvers<void>();
  const received = receive(kept.resolve, 1_000);
  await Promise.race([kept.promise, received]);
  const sender = (await findSender()) as number;
  process.kill(sender, "SIGSTOP");
  onTestFinished(() => void process.kill(sender, "SIGCONT"));
  await expect(received).rejects.toThrow("PostgreSQL does not respond");
});

test("a database without changes answers all the same", async () => {
  let times = 0;
  const onKept = () => {
    if (++times === 5) void owner.query("select pg_terminate_backend($1)", [sender]);
  };
  const received = receive(onKept, 3_000);
  let sender: number | undefined;
  await Promise.race([expect.poll(async () => (sender = await findSender())).toBeDefined(), received]);
  await expect(received).rejects.not.toThrow("PostgreSQL does not respond");
});
