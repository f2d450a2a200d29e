import type { Backend } from "#backend/backend.ts";

/**
 * Metrics of rest/v1's schema cache, connection pool and token cache, in the Prometheus text format under PostgREST's
 * names.
 */
export function restFigures({
  rest,
  poolUse,
  tokenUse,
}: Pick<Backend, "rest" | "poolUse" | "tokenUse">): string {
  const { succeeded, failed, seconds } = rest?.schema.loaded() ?? { succeeded: 0, failed: 0, seconds: 0 };
  const { max, available, waiting, timeouts } = poolUse();
  const { found, verified, dropped } = tokenUse();
  return [
    gauge("pgrst_schema_cache_query_time_seconds", "How long reading the schema took at last", seconds),
    counter("pgrst_schema_cache_loads_total", "How often the schema was read", {
      '{status="SUCCESS"}': succeeded,
      '{status="FAIL"}': failed,
    }),
    gauge("pgrst_db_pool_max", "Connections at most", max),
    gauge("pgrst_db_pool_available", "Connections that are free or not yet made", available),
    gauge("pgrst_db_pool_waiting", "Requests that wait for a connection", waiting),
    counter("pgrst_db_pool_timeouts_total", "Requests that got no connection in time", timeouts),
    counter("pgrst_jwt_cache_requests_total", "Tokens that were looked up", found + verified),
    counter("pgrst_jwt_cache_hits_total", "Tokens that were known", found),
    counter("pgrst_jwt_cache_evictions_total", "Tokens that were forgotten for others", dropped),
  ].join("");
}

/** Metrics of the replica; empty if there is none. */
export function replicaFigures({ replica }: Pick<Backend, "replica">): string {
  if (!replica) return "";
  const { isUsed, lagSeconds, lagBytes, reads, passedOver } = replica.use();
  return [
    gauge("site_replica_used", "Whether reads without a token go to the replica", Number(isUsed)),
    gauge("site_replica_lag_seconds", "How far it is behind", lagSeconds),
    gauge("site_replica_lag_bytes", "PostgreSQL's log that it has yet to take", lagBytes),
    counter("site_replica_reads_total", "Reads without a token, by who answered", {
      '{by="replica"}': reads,
      '{by="primary"}': passedOver,
    }),
  ].join("");
}

/** Several values of one metric are keyed by their labels. */
const metric = (type: string) => (name: string, help: string, value: number | Record<string, number>) => {
  const values = typeof value === "number" ? { "": value } : value;
  const lines = Object.entries(values).map(([labels, each]) => `${name}${labels} ${written(each)}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
};
/** As PostgREST writes whole numbers: with a point. */
const written = (value: number) => (Number.isInteger(value) ? value.toFixed(1) : String(value));
const gauge = metric("gauge");
const counter = metric("counter");
