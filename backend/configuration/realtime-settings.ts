import { defaultRealtimeConfig, type RealtimeConfig } from "#backend/realtime/realtime-config.ts";
import { type Environment, refuse, Variables } from "./variables.ts";

const anyCount = { min: 1, max: 1_000_000 };
const anyBytes = { min: 1_024, max: 100_000_000 };
const anyTime = { min: 100, max: 86_400_000 };

type Limit = keyof { [Key in keyof RealtimeConfig as RealtimeConfig[Key] extends number ? Key : never]: 1 };

/** Named as in Supabase's own service; `REALTIME_…` for those that it has no name for. */
const LIMITS: Record<string, [Limit, { min: number; max: number }]> = {
  TENANT_MAX_CONCURRENT_USERS: ["maxConnections", anyCount],
  TENANT_MAX_CHANNELS_PER_CLIENT: ["maxChannelsPerClient", anyCount],
  TENANT_MAX_EVENTS_PER_SECOND: ["maxEventsPerSecond", anyCount],
  TENANT_MAX_JOINS_PER_SECOND: ["maxJoinsPerSecond", anyCount],
  CLIENT_PRESENCE_MAX_CALLS: ["maxPresenceCalls", anyCount],
  CLIENT_PRESENCE_WINDOW_MS: ["presenceWindowMs", anyTime],
  REALTIME_MAX_CONNECTIONS_PER_ADDRESS: ["maxConnectionsPerAddress", anyCount],
  REALTIME_MAX_HTTP_MESSAGES_PER_SECOND: ["maxHttpMessagesPerSecond", anyCount],
  REALTIME_MAX_PRESENCE_BYTES: ["maxPresenceBytes", anyBytes],
  REALTIME_MAX_PAYLOAD_BYTES: ["maxPayloadBytes", anyBytes],
  REALTIME_MAX_BUFFERED_BYTES: ["maxBufferedBytes", anyBytes],
  REALTIME_STALLED_TIMEOUT_MS: ["stalledTimeoutMs", anyTime],
  REALTIME_IDLE_TIMEOUT_MS: ["idleTimeoutMs", anyTime],
};

/** Reads realtime's settings; unset ones are omitted. Throws a one-sentence `ConfigurationError`. */
export function readRealtimeSettings(environment: Environment): Partial<RealtimeConfig> {
  const variables = new Variables(environment);
  const privateOnly = variables.boolean("REALTIME_PRIVATE_ONLY");
  const settings: Partial<RealtimeConfig> = privateOnly === null ? {} : { privateOnly };
  for (const [variable, [limit, range]] of Object.entries(LIMITS)) {
    const value = variables.integer(variable, range);
    if (value !== null) settings[limit] = value;
  }
  requireRoom({ ...defaultRealtimeConfig, ...settings });
  return settings;
}

/** The send buffer must fit allowed messages, so that a client that reads fast enough is not disconnected. */
function requireRoom({ maxPayloadBytes, maxBufferedBytes }: RealtimeConfig): void {
  if (maxBufferedBytes >= 2 * maxPayloadBytes) return;
  refuse("REALTIME_MAX_BUFFERED_BYTES", "must be at least twice REALTIME_MAX_PAYLOAD_BYTES");
}
