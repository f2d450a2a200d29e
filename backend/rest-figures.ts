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
    metric("pgrst_schema_cache_query_time_seconds", "gauge", "How long reading the schema took at last", {
      "": seconds,
    }),
    metric("pgrst_schema_cache_loads_total", "counter", "How often the schema was read", {
      '{status="SUCCESS"}': succeeded,
      '{status="FAIL"}': failed,
    }),
    metric("pgrst_db_pool_max", "gauge", "Connections at most", { "": max }),
    metric("pgrst_db_pool_available", "gauge", "Connections that are free or not yet made", {
      "": available,
    }),
    metric("pgrst_db_pool_waiting", "gauge", "Requests that wait for a connection", { "": waiting }),
    metric("pgrst_db_pool_timeouts_total", "counter", "Requests that waited in vain", { "": timeouts }),
    metric("pgrst_jwt_cache_requests_total", "counter", "Tokens that were looked up", {
      "": found + verified,
    }),
    metric("pgrst_jwt_cache_hits_total", "counter", "Tokens that were known", { "": found }),
    metric("pgrst_jwt_cache_evictions_total", "counter", "Tokens that were forgotten for others", {
      "": dropped,
    }),
  ].join("");
}

/** Metrics of the replica; empty if there is none. */
export function replicaFigures({ replica }: Pick<Backend, "replica">): string {
  if (!replica) return "";
  const { isUsed, lagSeconds, lagBytes, reads, passedOver } = replica.use();
  return [
    metric("site_replica_used", "gauge", "Whether reads without a token go to the replica", {
      "": Number(isUsed),
    }),
    metric("site_replica_lag_seconds", "gauge", "How far it is behind", { "": lagSeconds }),
    metric("site_replica_lag_bytes", "gauge", "PostgreSQL's log that it has yet to take", { "": lagBytes }),
    metric("site_replica_reads_total", "counter", "Reads without a token, by who answered", {
      '{by="replica"}': reads,
      '{by="primary"}': passedOver,
    }),
  ].join("");
}

function metric(name: string, type: string, help: string, values: Record<string, number>): string {
  const lines = Object.entries(values).map(([labels, value]) => `${name}${labels} ${value.toFixed(1)}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}
