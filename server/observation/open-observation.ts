import type { RequestListener } from "node:http";
import { createAccessLog } from "#backend/log/log.ts";
import type { ProcessGroup } from "#backend/memory/process-group.ts";
import type { ServerConfig } from "../configuration/config.ts";
import type { BackendConnection } from "../connection/backend-connection.ts";
import { createFactsReader, type FactsReader } from "./database-facts.ts";
import { createMetrics, type MetricSources } from "./metrics.ts";
import type { RequestObserver } from "./observe-requests.ts";
import { createOperatorHandler } from "./operator-handler.ts";
import { openOperatorPort } from "./operator-port.ts";
import { createReportReader } from "./operator-report.ts";
import { shareFigures } from "./process-figures.ts";
import { readVersion } from "./read-version.ts";
import { startTracing, type Tracing } from "./start-tracing.ts";

/** The parts of observation that a front uses. */
export type OperatorView = {
  /** Notified of each response. */
  observers: readonly RequestObserver[];
  /** Makes a span of each request, if tracing is enabled. */
  traceRequests: Tracing["traceRequests"];
  /** Creates the endpoint where admins read the operation report. */
  openOperatorHandler(
    backend: BackendConnection,
    seen: SeenFront,
    common: Record<string, string>,
  ): RequestListener;
};

/** Everything that lets the operator observe the running site. */
export type Observation = OperatorView & {
  /** Opens the operator port; returns its address, or null if none is configured. */
  open(backend: BackendConnection, front: ObservedFront): Promise<string | null>;
  close(): Promise<void>;
};

type SeenFront = Pick<MetricSources, "pageCache" | "openPages">;

export type ObservedFront = SeenFront & { health: RequestListener };

/** Prepares what the operator has enabled: access log, metrics, tracing. Disabled parts are not even loaded. */
export async function prepareObservation(
  config: ServerConfig,
  processGroup: ProcessGroup,
): Promise<Observation> {
  const metrics = config.metrics && (await createMetrics());
  const observers: RequestObserver[] = [];
  if (config.accessLog) observers.push(createAccessLog({ format: config.logFormat }));
  if (metrics) observers.push(metrics.observe);
  const version = readVersion();
  const closing = new AsyncDisposableStack();
  const tracing = await startTracing(config.tracing, version);
  if (tracing) closing.defer(tracing.close);
  let reader: FactsReader | null = null;

  /** One shared reader, which connects on first use. */
  function factsOf({ ownerUrl }: BackendConnection): FactsReader | null {
    if (ownerUrl === null || reader) return reader;
    reader = createFactsReader(ownerUrl);
    closing.defer(reader.close);
    return reader;
  }

  return {
    observers,
    traceRequests: tracing?.traceRequests ?? ((listener) => listener),
    openOperatorHandler(backend, seen, common) {
      const sources = { config, backend, processGroup, version, facts: factsOf(backend), ...seen };
      return createOperatorHandler(backend, createReportReader(sources), common);
    },
    async open(backend, { health, ...seen }) {
      if (!metrics || !config.metrics) return null;
      const sources: MetricSources = {
        ...seen,
        version,
        services: backend.figures,
        facts: factsOf(backend),
        dataDir: backend.dataDir,
        backupEveryMs: config.backups?.everyMs ?? 0,
        archivesLog: config.walArchive !== undefined,
      };
      const readAllProcesses = shareFigures(processGroup, () => metrics.readProcess(sources));
      const port = await openOperatorPort(
        { ...config.metrics, isShared: config.workers > 1 },
        async () => (await readAllProcesses()) + (await metrics.readSite(sources)),
        health,
      );
      closing.defer(port.close);
      return port.address;
    },
    close: () => closing.disposeAsync(),
  };
}
