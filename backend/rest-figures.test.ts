import { expect, test } from "vitest";
import { replicaFigures, restFigures } from "./rest-figures.ts";

test("whole numbers are written as PostgREST writes them, and no digit of the others is lost", () => {
  const rest = { schema: { loaded: () => ({ succeeded: 2, failed: 0, seconds: 0.0408 }) } };
  const text = restFigures({
    rest: rest as Parameters<typeof restFigures>[0]["rest"],
    poolUse: () => ({ max: 10, available: 9, waiting: 0, timeouts: 0 }),
    tokenUse: () => ({ found: 12_000_000, verified: 1, dropped: 0 }),
  });
  expect(text).toContain("\npgrst_schema_cache_query_time_seconds 0.0408\n");
  expect(text).toContain('\npgrst_schema_cache_loads_total{status="SUCCESS"} 2.0\n');
  expect(text).toContain("\npgrst_jwt_cache_hits_total 12000000.0\n");
});

test("a replica's lag of milliseconds is not rounded away", () => {
  const use = { isUsed: true, lagSeconds: 0.0123, lagBytes: 8, reads: 1, passedOver: 0 };
  const replica = { use: () => use } as Parameters<typeof replicaFigures>[0]["replica"];
  expect(replicaFigures({ replica })).toContain("\nsite_replica_lag_seconds 0.0123\n");
});
