import { readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { createAccessLog } from "#backend/log/log.ts";
import type { ServerConfig } from "../configuration/config.ts";
import type { BackendConnection } from "../connection/backend-connection.ts";
import { createFactsReader } from "./database-facts.ts";
import { createMetrics, type MetricSources, type Metrics } from "./metrics.ts";
import type { RequestObserver } from "./observe-requests.ts";
import { openOperatorPort } from "./operator-port.ts";

/** What the operator sees of the running site. */
export type Observation = {
  /** Told of each answer. */
  observers: readonly RequestObserver[];
  /** Begins to tell; gives where, or null where nobody wants that. */
  open(backend: BackendConnection, front: ObservedFront): Promise<string | null>;
  close(): Promise<void>;
};

export type ObservedFront = Pick<MetricSources, "pageCache" | "openPages"> & { health: RequestListener };

const PACKAGE = new URL("../../package.json", import.meta.url);

/** What the operator asked for: lines for answers, figures; what nobody asked for is not even loaded. */
export async function prepareObservation(config: ServerConfig): Promise<Observation> {
  const metrics = config.metrics && (await createMetrics());
  const observers: RequestObserver[] = [];
  if (config.accessLog) observers.push(createAccessLog({ format: config.logFormat }));
  if (metrics) observers.push(metrics.observe);
  const closing: (() => Promise<void>)[] = [];
  return {
    observers,
    async open(backend, front) {
      if (!metrics || !config.metrics) return null;
      const port = await openMetrics(
        metrics,
        { ...config, metrics: config.metrics },
        backend,
        front,
        closing,
      );
      return port;
    },
    async close() {
      for (const close of closing.splice(0).reverse()) await close();
    },
  };
}

async function openMetrics(
  metrics: Metrics,
  { metrics: where, backups }: ServerConfig & Required<Pick<ServerConfig, "metrics">>,
  backend: BackendConnection,
  { health, ...front }: ObservedFront,
  closing: (() => Promise<void>)[],
): Promise<string> {
  const facts = backend.ownerUrl === null ? null : createFactsReader(backend.ownerUrl);
  if (facts) closing.push(facts.close);
  const { version } = JSON.parse(readFileSync(PACKAGE, "utf8"));
  const sources = {
    ...front,
    version,
    services: backend.figures,
    facts,
    dataDir: backend.dataDir,
    backupEveryMs: backups?.everyMs ?? 0,
  };
  const port = await openOperatorPort(where, () => metrics.read(sources), health);
  closing.push(port.close);
  return port.address;
}
