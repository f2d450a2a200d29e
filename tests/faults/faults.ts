import { appendFileSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { postmasterOf, signalPostgres, workersOf } from "#tests/helpers/processes.ts";
import { setClock } from "./own-clock.ts";
import { startSlowVisitors } from "./slow-visitors.ts";
import type { TestBed } from "./test-bed.ts";
import { until } from "./until.ts";

export type Need = "small disk" | "own clock";

export type Fault = {
  name: string;
  /** How many processes serve; any number if omitted. */
  workers?: number;
  /** A requirement beyond a normal site: a disk that can be filled, a clock that can be set. */
  needs?: Need;
  /** Whether visitors are served throughout. */
  keepsServing: boolean;
  /** Whether every request also succeeds. */
  answersAll?: boolean;
  /** The line the operator reads; null if the process that would write it is gone. */
  line: RegExp | null;
  /** Causes the fault and does what an operator would do about it. */
  strike(testBed: TestBed): Promise<void>;
};

async function killSite(testBed: TestBed): Promise<void> {
  await testBed.server.stop("SIGKILL");
  // Restarts with a different number of processes: each count must cope with what the other left behind.
  await testBed.start(3 - testBed.workers);
}

const POSTGRES_BACK = /PostgreSQL ended unexpectedly and is being restarted\./;

export const FAULTS: readonly Fault[] = [
  {
    name: "node",
    keepsServing: false,
    line: null,
    strike: killSite,
  },
  {
    name: "postmaster",
    keepsServing: true,
    line: POSTGRES_BACK,
    async strike(testBed) {
      process.kill(postmasterOf(testBed.dataDir), "SIGKILL");
    },
  },
  {
    name: "both",
    keepsServing: false,
    line: null,
    async strike(testBed) {
      process.kill(postmasterOf(testBed.dataDir), "SIGKILL");
      await killSite(testBed);
    },
  },
  {
    name: "worker",
    workers: 2,
    keepsServing: false,
    line: /A worker process ended unexpectedly \(SIGKILL\) and is being replaced\./,
    async strike(testBed) {
      const workers = workersOf(testBed.server.pid);
      process.kill(workers[Math.floor(Math.random() * workers.length)] as number, "SIGKILL");
    },
  },
  {
    name: "renewal",
    workers: 2,
    keepsServing: true,
    answersAll: true,
    line: /All 2 worker processes were replaced\./,
    async strike(testBed) {
      const before = workersOf(testBed.server.pid);
      process.kill(testBed.server.pid, "SIGUSR2");
      await until("other processes serve", () => {
        const now = workersOf(testBed.server.pid);
        return now.length === before.length && !before.some((pid) => now.includes(pid));
      });
    },
  },
  {
    name: "frozen",
    keepsServing: true,
    // With few users all requests are answered once it resumes, so nothing failed; only the health check reports it.
    line: null,
    async strike(testBed) {
      signalPostgres(testBed.dataDir, "SIGSTOP");
      await until("health tells", async () => (await healthOf(testBed)) === 503);
      // Longer than the wait for a connection.
      await sleep(14_000);
      signalPostgres(testBed.dataDir, "SIGCONT");
    },
  },
  {
    name: "cut",
    keepsServing: true,
    line: null,
    async strike(testBed) {
      for (let times = 0; times < 5; times++) {
        await testBed.query(`
          select pg_terminate_backend(pid) from pg_stat_activity
          where pid <> pg_backend_pid() and backend_type in ('client backend', 'walsender')`);
        await sleep(200);
      }
    },
  },
  {
    name: "restarted",
    keepsServing: true,
    line: POSTGRES_BACK,
    async strike(testBed) {
      process.kill(postmasterOf(testBed.dataDir), "SIGINT");
    },
  },
  {
    name: "full",
    needs: "small disk",
    keepsServing: true,
    line: /The database fails: .*\(SQLSTATE 53100\)/,
    async strike(testBed) {
      const filler = join(testBed.dataDir, "filler");
      // Space that becomes free is filled too, until writes fail.
      await until("the disk is full", async () => {
        const { bavail, bsize } = statfsSync(testBed.dataDir);
        try {
          if (bavail > 0) appendFileSync(filler, Buffer.alloc(Math.min(bavail * bsize, 32 * 1024 * 1024)));
        } catch {}
        return bavail === 0 && this.line?.test(testBed.output().slice(-5_000)) === true;
      });
      await until("health tells", async () => (await healthOf(testBed)) === 503);
      await sleep(2_000);
      rmSync(filler);
    },
  },
  {
    name: "clock",
    needs: "own clock",
    keepsServing: true,
    answersAll: true,
    line: null,
    // Only the site's clock; PostgreSQL keeps the machine's, as on another host.
    async strike(testBed) {
      for (const jump of ["+900", "-900", "+0"]) {
        setClock(testBed.dataDir, jump);
        await sleep(4_000);
      }
    },
  },
  {
    name: "slow",
    keepsServing: true,
    answersAll: true,
    line: null,
    async strike(testBed) {
      const end = await startSlowVisitors(testBed);
      await sleep(8_000);
      await end();
    },
  },
];

async function healthOf({ address }: TestBed): Promise<number> {
  return (await fetch(`${address}/healthz`)).status;
}
