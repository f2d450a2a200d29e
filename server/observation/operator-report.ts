import { stat, statfs } from "node:fs/promises";
import { availableParallelism, freemem, loadavg, totalmem } from "node:os";
import { coalesceRuns } from "#backend/memory/coalesce-runs.ts";
import type { ProcessGroup } from "#backend/memory/process-group.ts";
import { withTimeout } from "#backend/memory/with-timeout.ts";
import { findFaults } from "#domain/operation/find-faults.ts";
import type {
  ArchiveReport,
  BackupReport,
  OperationReport,
  ProcessFacts,
} from "#domain/operation/operation-report.ts";
import { backupAge, readBackupState } from "../backup/backup-state.ts";
import type { ServerConfig } from "../configuration/config.ts";
import { describeSetup } from "../configuration/describe-setup.ts";
import type { BackendConnection } from "../connection/backend-connection.ts";
import type { FactsReader } from "./database-facts.ts";
import type { MetricSources } from "./metrics.ts";
import { shareFacts } from "./process-facts.ts";

const PATIENCE_MS = 1_000;

type Sources = {
  config: ServerConfig;
  backend: BackendConnection;
  processGroup: ProcessGroup;
  version: string;
  facts: FactsReader | null;
} & Pick<MetricSources, "pageCache" | "openPages">;

/** Returns a function that reads the operation report; concurrent callers share one read. */
export function createReportReader(sources: Sources): () => Promise<OperationReport> {
  const startedAt = new Date(Date.now() - performance.now()).toISOString();
  const readProcesses = shareFacts(sources.processGroup, "facts", () => describeProcess(sources, startedAt));
  const setup = describeSetup(sources.config);

  async function read(): Promise<OperationReport> {
    const { backend, config, facts, version } = sources;
    const [processes, database, files, disk, backup, archive] = await Promise.all([
      readProcesses(),
      facts?.database(),
      facts?.storage(),
      readDisk(backend.dataDir),
      readBackup(backend.dataDir, config),
      readArchive(backend.dataDir, config, facts),
    ]);
    const report = {
      at: new Date().toISOString(),
      version,
      setup,
      machine: describeMachine(),
      processes,
      changesArrive: backend.live,
      database: database?.database ?? null,
      mails: database?.mails ?? null,
      disk,
      backup,
      archive,
      files: files ?? null,
    };
    return { ...report, findings: findFaults(report) };
  }

  const reads = coalesceRuns(read);
  return () => reads.underWay() ?? reads.next();
}

function describeProcess({ backend, pageCache, openPages }: Sources, startedAt: string): ProcessFacts {
  const pool = backend.poolUse();
  return {
    pid: process.pid,
    startedAt,
    memoryBytes: process.memoryUsage.rss(),
    sockets: backend.openSockets(),
    livePages: openPages(),
    keptBytes: pageCache().bytes,
    pool: pool && { max: pool.max, busy: pool.max - pool.available, waiting: pool.waiting },
  };
}

function describeMachine(): OperationReport["machine"] {
  const [load = 0] = loadavg();
  return { cores: availableParallelism(), load, memoryBytes: totalmem(), freeMemoryBytes: freemem() };
}

async function readDisk(dataDir: string | null): Promise<OperationReport["disk"]> {
  const disk = dataDir && (await statfs(dataDir).catch(() => null));
  return disk ? { freeBytes: disk.bavail * disk.bsize, sizeBytes: disk.blocks * disk.bsize } : null;
}

async function readBackup(dataDir: string | null, { backups }: ServerConfig): Promise<BackupReport | null> {
  const state = dataDir && backups ? readBackupState(dataDir) : null;
  if (!backups || !dataDir) return null;
  return {
    everyMs: backups.everyMs,
    ageMs: state ? backupAge(state) : 0,
    last: state?.last ?? null,
    failure: state?.failure ?? null,
    isBesideData: "folder" in backups.to && (await isSameDisk(backups.to.folder, dataDir)),
  };
}

async function readArchive(
  dataDir: string | null,
  { walArchive }: ServerConfig,
  facts: FactsReader | null,
): Promise<ArchiveReport | null> {
  const silentSeconds = walArchive ? await facts?.archiveSilence() : null;
  if (!walArchive || !dataDir || silentSeconds == null) return null;
  const isBesideData = await isSameDisk(walArchive.folder, dataDir);
  return { silentSeconds, writesWait: walArchive.commitsWait, isBesideData };
}

/** A folder that does not exist is on no disk, and one that does not respond is on a network disk. */
async function isSameDisk(one: string, other: string): Promise<boolean> {
  const asked = [one, other].map((folder) => stat(folder).catch(() => null));
  const disks = await Promise.all(asked.map((each) => withTimeout(each, PATIENCE_MS, () => null)));
  return disks[0] != null && disks[0].dev === disks[1]?.dev;
}
