import { postmasterOf, workersOf } from "#tests/helpers/processes.ts";
import type { Ground } from "./ground.ts";

export type Fault = {
  name: string;
  /** How many processes serve; any number where it is not said. */
  workers?: number;
  /** Whether somebody answers visitors throughout. */
  keepsServing: boolean;
  /** What the operator reads; null where the process that would write it is gone. */
  line: RegExp | null;
  /** Does it, and what an operator does about it, and gives when it began. */
  strike(ground: Ground): Promise<void>;
};

async function killSite(ground: Ground): Promise<void> {
  await ground.server.stop("SIGKILL");
  // The next start is with another number of processes: both have to cope with what the other one left.
  await ground.start(3 - ground.workers);
}

const POSTGRES_BACK = /PostgreSQL ended unexpectedly and is started again\./;

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
    line: /A worker process ended unexpectedly \(SIGKILL\) and another one is started\./,
    async strike(ground) {
      const workers = workersOf(ground.server.pid);
      process.kill(workers[Math.floor(Math.random() * workers.length)] as number, "SIGKILL");
    },
  },
];
