import { statfs } from "node:fs/promises";
import { backupAge, readBackupState } from "../backup/backup-state.ts";
import type { PageCacheUse } from "../pages/page-cache.ts";
import type { FactsReader } from "./database-facts.ts";
import { knownMethod } from "./known-method.ts";
import type { RequestObserver } from "./observe-requests.ts";

/** Sources of the metrics. */
export type MetricSources = {
  version: string;
  pageCache(): PageCacheUse;
  /** Pages connected to the change stream. */
  openPages(): number;
  /** The services' own metrics, in Prometheus format. */
  services(): string;
  /** Null if the database is hosted elsewhere. */
  facts: FactsReader | null;
  /** Null if nothing is stored on this machine. */
  dataDir: string | null;
  /** Interval between backups; 0 for none. */
  backupEveryMs: number;
  /** Whether WAL is archived. */
  archivesLog: boolean;
};

export type Metrics = {
  observe: RequestObserver;
  /** This process's metrics, in Prometheus format. */
  readProcess(sources: MetricSources): Promise<string>;
  /** Metrics that are the same in every process: database, files, disk, backups. */
  readSite(sources: MetricSources): Promise<string>;
};

/** Cached pages take less than a millisecond, others about ten. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Counts from its creation on; loaded only if metrics are enabled. */
export async function createMetrics(): Promise<Metrics> {
  const { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } = await import("prom-client");
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: "site_http_requests_total",
    help: "Answers, by service, route and class of status",
    labelNames: ["service", "method", "route", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "site_http_request_duration_seconds",
    help: "Until an answer's end; without pages that listen for changes",
    labelNames: ["service", "route"],
    buckets: SECONDS,
    registers,
  });
  const site = new Registry();
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const siteGauge = (name: string, help: string) => new Gauge({ name, help, registers: [site] });
  const info = new Gauge({
    name: "site_info",
    help: "The version that runs",
    labelNames: ["version"],
    registers: [site],
  });
  const openPages = gauge("site_live_pages", "Open pages that listen for changes");
  /** A metric that is counted elsewhere and read on each scrape. */
  const count = (name: string, help: string) => {
    const counter = new Counter({ name, help, registers });
    return {
      set(value: number) {
        counter.reset();
        counter.inc(value);
      },
    };
  };
  const writePageCache = pageCacheFigures(gauge, count);
  const write = [databaseFigures, storageFigures, diskFigures, backupFigures, archiveFigures].map((of) =>
    of(siteGauge),
  );
  return {
    observe({ service, method, route, status, ms }) {
      requests.inc({ service, method: knownMethod(method), route, status: `${Math.floor(status / 100)}xx` });
      if (service !== "live") durations.observe({ service, route }, ms / 1000);
    },
    async readProcess(sources) {
      openPages.set(sources.openPages());
      writePageCache(sources);
      return (await registry.metrics()) + sources.services();
    },
    async readSite(sources) {
      info.set({ version: sources.version }, 1);
      await Promise.all(write.map((of) => of(sources)));
      return site.metrics();
    },
  };
}

type MakeGauge = (name: string, help: string) => { set(value: number): void };
type Write = (sources: MetricSources) => unknown;

function pageCacheFigures(gauge: MakeGauge, count: MakeGauge): Write {
  const bytes = gauge("site_page_cache_bytes", "Bytes of kept pages");
  const limit = gauge("site_page_cache_limit_bytes", "Bytes of kept pages at most");
  const found = count("site_page_cache_found_total", "Pages that were kept when asked for");
  const rendered = count("site_page_cache_rendered_total", "Pages that had to be rendered");
  return ({ pageCache }) => {
    const use = pageCache();
    bytes.set(use.bytes);
    limit.set(use.maxBytes);
    found.set(use.found);
    rendered.set(use.rendered);
  };
}

function databaseFigures(gauge: MakeGauge): Write {
  const up = gauge("site_database_up", "Whether the database answers");
  const bytes = gauge("site_database_bytes", "Bytes of the database");
  const connections = gauge("site_database_connections", "Connections to the database, of everybody");
  const limit = gauge("site_database_connections_limit", "Connections that it takes");
  const lag = gauge(
    "site_replication_slot_lag_bytes",
    "PostgreSQL's log that a reader of changes has yet to take",
  );
  const mails = gauge("site_mail_queue_length", "Emails that wait");
  const age = gauge("site_mail_queue_age_seconds", "For how long the first of them does");
  const lost = gauge("site_mails_lost", "Emails that were given up in the last seven days");
  return async ({ facts }) => {
    if (!facts) return;
    const read = await facts.database();
    up.set(Number(read !== null));
    if (!read) return;
    bytes.set(read.database.bytes);
    connections.set(read.database.connections);
    limit.set(read.database.maxConnections);
    lag.set(read.database.slotLagBytes);
    mails.set(read.mails.waiting);
    age.set(read.mails.oldestSeconds);
    lost.set(read.mails.lost);
  };
}

function storageFigures(gauge: MakeGauge): Write {
  const objects = gauge("site_storage_objects", "Stored files, counted every five minutes");
  const bytes = gauge("site_storage_bytes", "Their bytes");
  return async ({ facts }) => {
    const read = await facts?.storage();
    if (!read) return;
    objects.set(read.objects);
    bytes.set(read.bytes);
  };
}

function diskFigures(gauge: MakeGauge): Write {
  const free = gauge("site_disk_free_bytes", "Room on the data folder's disk");
  const size = gauge("site_disk_size_bytes", "Size of that disk");
  return async ({ dataDir }) => {
    const disk = dataDir && (await statfs(dataDir).catch(() => null));
    if (!disk) return;
    free.set(disk.bavail * disk.bsize);
    size.set(disk.blocks * disk.bsize);
  };
}

function archiveFigures(gauge: MakeGauge): Write {
  const silence = gauge(
    "site_log_archive_silence_seconds",
    "Since the archive of the database's log was there; 0 where none is wanted",
  );
  return async ({ facts, archivesLog }) => {
    const seconds = archivesLog ? await facts?.archiveSilence() : 0;
    if (seconds != null) silence.set(seconds);
  };
}

function backupFigures(gauge: MakeGauge): Write {
  const age = gauge("site_backup_age_seconds", "Since the last backup that was restored to prove it");
  const every = gauge("site_backup_interval_seconds", "How often one is to be made; 0 for never");
  const failed = gauge("site_backup_failed", "Whether the one after it failed");
  const bytes = gauge("site_backup_bytes", "Bytes of the last one");
  return ({ dataDir, backupEveryMs }) => {
    every.set(backupEveryMs / 1000);
    const state = dataDir && backupEveryMs > 0 ? readBackupState(dataDir) : null;
    if (!state) return;
    age.set(backupAge(state) / 1000);
    failed.set(Number(state.failure !== null));
    bytes.set(state.last?.bytes ?? 0);
  };
}
