import { appendFileSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { postmasterOf, signalPostgres, workersOf } from "#tests/helpers/processes.ts";
import type { Ground } from "./ground.ts";
import { setClock } from "./own-clock.ts";
import { letSlowVisitorsCome } from "./slow-visitors.ts";
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
  strike(ground: Ground): Promise<void>;
};

async function killSite(ground: Ground): Promise<void> {
  await ground.server.stop("SIGKILL");
  // Restarts with a different number of processes: each count must cope with what the other left behind.
  await ground.start(3 - ground.workers);
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
    async strike(ground) {
      process.kill(postmasterOf(ground.dataDir), "SIGKILL");
    },
  },
  {
    name: "both",
    keepsServing: false,
    line: null,
    async strike(ground) {
      process.kill(postmasterOf(ground.dataDir), "SIGKILL");
      await killSite(ground);
    },
  },
  {
    name: "worker",
    workers: 2,
    keepsServing: false,
    line: /A worker process ended unexpectedly \(SIGKILL\) and is being replaced\./,
    async strike(ground) {
      const workers = workersOf(ground.server.pid);
      process.kill(workers[Math.floor(Math.random() * workers.length)] as number, "SIGKILL");
    },
  },
  {
    name: "renewal",
    workers: 2,
    keepsServing: true,
    answersAll: true,
    line: /All 2 worker processes were replaced\./,
    async strike(ground) {
      const before = workersOf(ground.server.pid);
      process.kill(ground.server.pid, "SIGUSR2");
      await until("other processes serve", () => {
        const now = workersOf(ground.server.pid);
        return now.length === before.length && !before.some((pid) => now.includes(pid));
      });
    },
  },
  {
    name: "frozen",
    keepsServing: true,
    // With few users all requests are answered once it resumes, so nothing failed; only the health check reports it.
    line: null,
    async strike(ground) {
      signalPostgres(ground.dataDir, "SIGSTOP");
      await until("health tells", async () => (await healthOf(ground)) === 503);
      // Longer than the wait for a connection.
      await sleep(14_000);
      signalPostgres(ground.dataDir, "SIGCONT");
    },
  },
  {
    name: "cut",
    keepsServing: true,
    line: null,
    async strike(ground) {
      for (let times = 0; times < 5; times++) {
        await ground.query(`
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
    async strike(ground) {
      process.kill(postmasterOf(ground.dataDir), "SIGINT");
    },
  },
  {
    name: "full",
    needs: "small disk",
    keepsServing: true,
    line: /The database fails: .*\(SQLSTATE 53100\)/,
    async strike(ground) {
      const filler = join(ground.dataDir, "filler");
      // Space that becomes free is filled too, until writes fail.
      await until("the disk is full", async () => {
        const { bavail, bsize } = statfsSync(ground.dataDir);
        try {
          if (bavail > 0) appendFileSync(filler, Buffer.alloc(Math.min(bavail * bsize, 32 * 1024 * 1024)));
        } catch {}
        return bavail === 0 && this.line?.test(ground.output().slice(-5_000)) === true;
      });
      await until("health tells", async () => (await healthOf(ground)) === 503);
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
    async strike(ground) {
      for (const jump of ["+900", "-900", "+0"]) {
        setClock(ground.dataDir, jump);
        await sleep(4_000);
      }
    },
  },
  {
    name: "slow",
    keepsServing: true,
    answersAll: true,
    line: null,
    async strike(ground) {
      const end = await letSlowVisitorsCome(ground);
      await sleep(8_000);
      await end();
    },
  },
];

async function healthOf({ address }: Ground): Promise<number> {
  return (await fetch(`${address}/healthz`)).status;
}
