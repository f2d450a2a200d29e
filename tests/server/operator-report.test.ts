import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OperationReport } from "#domain/operation/operation-report.ts";
import { writeBackupState } from "#server/backup/backup-state.ts";
import { workersOf } from "#tests/helpers/processes.ts";
import { readyDataDir } from "#tests/helpers/ready-data.ts";
import { subscribe } from "#tests/helpers/realtime/realtime-server.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";
import { type SignedIn, signUpAdmin, signUpPerson } from "#tests/helpers/signed-in.ts";
import { runSql } from "../journeys/chat-page.ts";

let dataDir: string;
let server: ServerProcess;
const archive = () => join(dataDir, "archive");
let site: { address: string; databaseUrl: string };

const BACKUP = {
  name: "2026-01-01T00-00-00Z",
  madeAt: new Date().toISOString(),
  files: 9,
  bytes: 8,
  rows: 7,
  missing: 0,
  seconds: 1,
};

/** With a backup that was made just now, so that the site makes none. */
function putBackup(): void {
  mkdirSync(join(dataDir, BACKUP.name));
  writeFileSync(join(dataDir, BACKUP.name, "backup.json"), "");
  writeBackupState(dataDir, { since: BACKUP.madeAt, last: BACKUP, failure: null, folder: dataDir });
}

beforeAll(async () => {
  dataDir = readyDataDir();
  putBackup();
  server = await startServer({
    env: {
      DATA_DIR: dataDir,
      WORKERS: "2",
      METRICS_PORT: "0",
      BACKUP_EVERY: "1h",
      BACKUP_TO: dataDir,
      WAL_ARCHIVE_TO: archive(),
    },
  });
  const databaseUrl = readFileSync(join(dataDir, "database-url"), "utf8").trim();
  site = { address: server.address, databaseUrl };
});

afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Uses a new connection, which any process may accept. */
function ask(
  authorization?: string,
  method = "GET",
): Promise<{ status: number; body: string; cache: unknown }> {
  return new Promise((resolve, reject) => {
    const headers = authorization ? { authorization } : {};
    const asking = request(
      `${server.address}/operator-report`,
      { method, agent: false, headers },
      (answer) => {
        const { statusCode: status = 0, headers: got } = answer;
        text(answer).then((body) => resolve({ status, body, cache: got["cache-control"] }), reject);
      },
    );
    asking.on("error", reject);
    asking.end();
  });
}

const asPerson = ({ session }: SignedIn) => ask(`Bearer ${session.access_token}`);
const reportFor = async (person: SignedIn): Promise<OperationReport> =>
  JSON.parse((await asPerson(person)).body);

test("only an admin reads it: no visitor, user, editor or moderator, nor an admin who has not passed the second factor", async () => {
  const [ann, editor, moderator, half] = await Promise.all([
    signUpPerson(site),
    signUpPerson(site),
    signUpPerson(site),
    signUpAdmin(site),
  ]);
  await runSql(
    `insert into user_roles (user_id, role) values ('${editor.id}', 'editor'), ('${moderator.id}', 'moderator');
     insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at)
       values (gen_random_uuid(), '${half.id}', 'app', 'totp', 'verified', now(), now())`,
    site.databaseUrl,
  );
  expect(await ask()).toEqual({ status: 401, body: "", cache: "no-store" });
  expect(await ask("Basic YTpi")).toMatchObject({ status: 401, body: "" });
  expect(await ask("Bearer not.a.token")).toMatchObject({ status: 403, body: "" });
  for (const person of [ann, editor, moderator, half])
    expect(await asPerson(person)).toEqual({ status: 403, body: "", cache: "no-store" });
  expect(await ask(`Bearer ${ann.session.access_token}`, "POST")).toMatchObject({ status: 405 });
  await runSql(`delete from auth.mfa_factors where user_id = '${half.id}'`, site.databaseUrl);
  expect(await asPerson(half)).toMatchObject({ status: 200, cache: "no-store" });
});

test("it covers all processes, the database, mail, the disk and backups, whichever process is asked", async () => {
  const eve = await signUpAdmin(site);
  await subscribe(eve.client.channel("items", { config: { private: true } }));
  await runSql(
    `insert into backend.mail_queue (message, tries, created_at, next_try_at)
       values ('{}', 3, now() - interval '2 hours', now() + interval '1 hour');
     insert into backend.lost_mails (why) values ('refused')`,
    site.databaseUrl,
  );
  const pids = workersOf(server.pid).toSorted();
  for (let turn = 0; turn < 8; turn++) {
    const report = await reportFor(eve);
    expect(report.processes.map(({ pid }) => pid).toSorted()).toEqual(pids);
    expect(report.processes.reduce((sum, { sockets }) => sum + sockets, 0)).toBe(1);
    for (const { memoryBytes, pool } of report.processes) {
      expect(memoryBytes).toBeGreaterThan(1e6);
      expect(pool?.max).toBeGreaterThan(0);
    }
  }
  const report = await reportFor(eve);
  expect(report.version).toBe(JSON.parse(readFileSync("package.json", "utf8")).version);
  expect(report.database?.version).toMatch(/^1\d\./);
  for (const figure of ["bytes", "connections", "maxConnections", "latencyMs"] as const)
    expect(report.database?.[figure], figure).toBeGreaterThan(0);
  expect(report.disk?.freeBytes).toBeGreaterThan(0);
  expect(report.mails).toMatchObject({ waiting: 1, failing: 1, lost: 1 });
  expect(report.mails?.oldestSeconds).toBeGreaterThan(7_000);
  expect(report.changesArrive).toBe(true);
  const ids = report.findings.map(({ id }) => id);
  expect(ids).toEqual(
    expect.arrayContaining([
      "mail-none",
      "mail-late",
      "mail-lost",
      "backup-beside-data",
      "archive-beside-data",
    ]),
  );
  expect(report.backup?.last?.rows).toBe(BACKUP.rows);
  expect(JSON.stringify(await reportFor(eve))).not.toMatch(/@|postgres:\/\/|127\.0\.0\.1/);
  await eve.client.removeAllChannels();
});

test("an archive whose disk is unavailable is reported, by the metrics too", async () => {
  const eve = await signUpAdmin(site);
  const silence = async () => {
    const metrics = await fetch(/Metrics are at (\S+)/.exec(server.output())?.[1] ?? "");
    return Number(/^site_log_archive_silence_seconds (\S+)$/m.exec(await metrics.text())?.[1]);
  };
  const { archive: before, findings } = await reportFor(eve);
  expect(before).toMatchObject({ writesWait: true, isBesideData: true });
  expect(findings.map(({ id }) => id)).not.toContain("archive-silent");
  expect(await silence()).toBeLessThan(5);
  renameSync(archive(), `${archive()}.away`);
  const found = async () => (await reportFor(eve)).findings.map(({ id }) => id);
  await expect.poll(found, { timeout: 30_000 }).toContain("archive-silent");
  expect(await silence()).toBeGreaterThan(5);
  renameSync(`${archive()}.away`, archive());
  await expect.poll(found, { timeout: 30_000 }).not.toContain("archive-silent");
  expect(await silence()).toBeLessThan(5);
});
