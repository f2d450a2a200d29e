import type { StatsFs } from "node:fs";
import { statfs } from "node:fs/promises";
import type { Gauge as GaugeOf, Registry } from "prom-client";
import { type BackupState, backupAge, readBackupState } from "../backup/backup-state.ts";
import type { PageCacheUse } from "../pages/page-cache.ts";
import type { DatabaseFacts, FactsReader, StorageFacts } from "./database-facts.ts";
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

/** A metric that is read from a source on each scrape. */
type Figure<Source> = [name: string, help: string, of: (source: Source) => number];

const PAGE_CACHE: Figure<PageCacheUse>[] = [
  ["site_page_cache_bytes", "Bytes of kept pages", ({ bytes }) => bytes],
  ["site_page_cache_limit_bytes", "Bytes of kept pages at most", ({ maxBytes }) => maxBytes],
  ["site_page_cache_found_total", "Pages that were kept when asked for", ({ found }) => found],
  ["site_page_cache_rendered_total", "Pages that had to be rendered", ({ rendered }) => rendered],
];
const DATABASE: Figure<DatabaseFacts>[] = [
  ["site_database_bytes", "Bytes of the database", ({ database }) => database.bytes],
  [
    "site_database_connections",
    "Connections to the database, of everybody",
    ({ database }) => database.connections,
  ],
  ["site_database_connections_limit", "Connections that it takes", ({ database }) => database.maxConnections],
  [
    "site_replication_slot_lag_bytes",
    "PostgreSQL's log that a reader of changes has yet to take",
    ({ database }) => database.slotLagBytes,
  ],
  ["site_mail_queue_length", "Emails that wait", ({ mails }) => mails.waiting],
  ["site_mail_queue_age_seconds", "For how long the first of them does", ({ mails }) => mails.oldestSeconds],
  ["site_mails_lost", "Emails that were given up in the last seven days", ({ mails }) => mails.lost],
];
const STORAGE: Figure<StorageFacts>[] = [
  ["site_storage_objects", "Stored files, counted every five minutes", ({ objects }) => objects],
  ["site_storage_bytes", "Their bytes", ({ bytes }) => bytes],
];
const DISK: Figure<StatsFs>[] = [
  ["site_disk_free_bytes", "Room on the data folder's disk", ({ bavail, bsize }) => bavail * bsize],
  ["site_disk_size_bytes", "Size of that disk", ({ blocks, bsize }) => blocks * bsize],
];
const BACKUP: Figure<BackupState>[] = [
  [
    "site_backup_age_seconds",
    "Since the last backup that was restored to prove it",
    (state) => backupAge(state) / 1000,
  ],
  ["site_backup_failed", "Whether the one after it failed", ({ failure }) => Number(failure !== null)],
  ["site_backup_bytes", "Bytes of the last one", ({ last }) => last?.bytes ?? 0],
];

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
  const openPages = new Gauge({
    name: "site_live_pages",
    help: "Open pages that listen for changes",
    registers,
  });
  const writePageCache = writer(PAGE_CACHE, (name, help) => {
    if (!name.endsWith("_total")) return new Gauge({ name, help, registers });
    const counter = new Counter({ name, help, registers });
    return {
      set(value) {
        counter.reset();
        counter.inc(value);
      },
    };
  });
  const readSite = createSiteMetrics(new Registry(), Gauge);
  return {
    observe({ service, method, route, status, ms }) {
      requests.inc({ service, method: knownMethod(method), route, status: `${Math.floor(status / 100)}xx` });
      if (service !== "live") durations.observe({ service, route }, ms / 1000);
    },
    async readProcess({ openPages: countPages, pageCache, services }) {
      openPages.set(countPages());
      writePageCache(pageCache());
      return (await registry.metrics()) + services();
    },
    readSite,
  };
}

function createSiteMetrics(registry: Registry, Gauge: typeof GaugeOf): Metrics["readSite"] {
  const registers = [registry];
  const gauge: MakeGauge = (name, help) => new Gauge({ name, help, registers });
  const info = new Gauge({
    name: "site_info",
    help: "The version that runs",
    labelNames: ["version"],
    registers,
  });
  const isUp = gauge("site_database_up", "Whether the database answers");
  const writeDatabase = writer(DATABASE, gauge);
  const writeStorage = writer(STORAGE, gauge);
  const writeDisk = writer(DISK, gauge);
  const backupInterval = gauge("site_backup_interval_seconds", "How often one is to be made; 0 for never");
  const writeBackup = writer(BACKUP, gauge);
  const silence = gauge(
    "site_log_archive_silence_seconds",
    "Since the archive of the database's log was there; 0 where none is wanted",
  );
  return async ({ version, facts, dataDir, backupEveryMs, archivesLog }) => {
    const [database, storage, disk, silentSeconds] = await Promise.all([
      facts?.database(),
      facts?.storage(),
      dataDir === null ? null : statfs(dataDir).catch(() => null),
      archivesLog ? facts?.archiveSilence() : 0,
    ]);
    info.set({ version }, 1);
    if (facts) isUp.set(Number(database !== null));
    writeDatabase(database);
    writeStorage(storage);
    writeDisk(disk);
    backupInterval.set(backupEveryMs / 1000);
    writeBackup(dataDir !== null && backupEveryMs > 0 ? readBackupState(dataDir) : null);
    if (silentSeconds != null) silence.set(silentSeconds);
    return registry.metrics();
  };
}

type MakeGauge = (name: string, help: string) => { set(value: number): void };

/** Returns a function that sets these figures from their source; without one, they keep their values. */
function writer<Source>(figures: Figure<Source>[], make: MakeGauge) {
  const gauges = figures.map(([name, help, of]) => ({ gauge: make(name, help), of }));
  return (source: Source | null | undefined) => {
    if (source) for (const { gauge, of } of gauges) gauge.set(of(source));
  };
}
