/** Limits per client, and for all clients together. */
export type RealtimeConfig = typeof defaultRealtimeConfig;

export const defaultRealtimeConfig = {
  /**
   * Whether only private channels, which policies govern, are allowed; otherwise anyone with a key may join public
   * ones.
   */
  privateOnly: false,
  /** Concurrent sockets in total. */
  maxConnections: 10_000,
  /** Concurrent sockets per network: an IPv4 address, or an IPv6 subscriber prefix. */
  maxConnectionsPerAddress: 1_000,
  /** Concurrent channels per socket. */
  maxChannelsPerClient: 100,
  /** Joins per second and socket. */
  maxJoinsPerSecond: 100,
  /** Messages per second and socket. */
  maxEventsPerSecond: 100,
  /** Messages per second over HTTP from one network; the secret key is exempt. */
  maxHttpMessagesPerSecond: 1_000,
  /** Presence messages per channel within `presenceWindowMs`. */
  maxPresenceCalls: 30,
  presenceWindowMs: 30_000,
  /** Bytes of a channel's presence payload as JSON: everyone in the room receives it. */
  maxPresenceBytes: 4_096,
  /** Bytes per frame, or per message over HTTP. */
  maxPayloadBytes: 3_000_000,
  /** Send buffer of a client that reads too slowly, before it is disconnected. Room for ten of the largest messages. */
  maxBufferedBytes: 32_000_000,
  /** A client that reads nothing for this long while much is buffered for it is disconnected too. */
  stalledTimeoutMs: 20_000,
  /** A client that sends nothing for this long, not even a heartbeat, is considered gone. */
  idleTimeoutMs: 60_000,
  /** How long a channel that asked to be notified waits for messages from the database to arrive. */
  replicationTimeoutMs: 60_000,
  /** Milliseconds between heartbeats among the processes on one database. */
  signOfLifeMs: 2_000,
  /** The header in which a proxy passes the client's address; null for none. */
  addressHeader: null as string | null,
};
