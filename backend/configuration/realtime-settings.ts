import type { RealtimeConfig } from "#backend/realtime/realtime-config.ts";
import { type Environment, Variables } from "./variables.ts";

const anyCount = { min: 1, max: 1_000_000 };
const anyBytes = { min: 1_024, max: 100_000_000 };
const anyTime = { min: 100, max: 86_400_000 };

/**
 * Reads the limits of realtime by the names that Supabase's own service has for them (`TENANT_…`, `CLIENT_PRESENCE_…`),
 * and `REALTIME_…` for those that it has no name for; what is not set is left out. Throws a `ConfigurationError` of one
 * sentence.
 */
export function readRealtimeSettings(environment: Environment): Partial<RealtimeConfig> {
  const tenant = new Variables(environment, "TENANT");
  const presence = new Variables(environment, "CLIENT_PRESENCE");
  const own = new Variables(environment, "REALTIME");
  const settings: Partial<Record<keyof RealtimeConfig, number | null>> = {
    maxConnections: tenant.integer("max-concurrent-users", anyCount),
    maxChannelsPerClient: tenant.integer("max-channels-per-client", anyCount),
    maxEventsPerSecond: tenant.integer("max-events-per-second", anyCount),
    maxJoinsPerSecond: tenant.integer("max-joins-per-second", anyCount),
    maxPresenceCalls: presence.integer("max-calls", anyCount),
    presenceWindowMs: presence.integer("window-ms", anyTime),
    maxPresenceBytes: own.integer("max-presence-bytes", anyBytes),
    maxConnectionsPerAddress: own.integer("max-connections-per-address", anyCount),
    maxPayloadBytes: own.integer("max-payload-bytes", anyBytes),
    maxBufferedBytes: own.integer("max-buffered-bytes", anyBytes),
    idleTimeoutMs: own.integer("idle-timeout-ms", anyTime),
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null));
}
