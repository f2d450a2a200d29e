/** How much one client, and all of them together, may ask of the service. */
export type RealtimeConfig = typeof defaultRealtimeConfig;

export const defaultRealtimeConfig = {
  /** Whether only channels that policies name carry anything; else whoever has a key may open any other. */
  privateOnly: false,
  /** Open sockets at once, of everybody. */
  maxConnections: 10_000,
  /** Open sockets at once from one network: an IPv4 address, or a subscriber's of IPv6. */
  maxConnectionsPerAddress: 1_000,
  /** Channels at once on one socket. */
  maxChannelsPerClient: 100,
  /** Joins a second on one socket. */
  maxJoinsPerSecond: 100,
  /** Messages a second on one socket. */
  maxEventsPerSecond: 100,
  /** Messages a second by HTTP from one network; whoever has the secret key may send more. */
  maxHttpMessagesPerSecond: 1_000,
  /** Presence messages of one channel within `presenceWindowMs`. */
  maxPresenceCalls: 30,
  presenceWindowMs: 30_000,
  /** Bytes of the presence payload of one channel, as JSON: everyone in the room receives it. */
  maxPresenceBytes: 4_096,
  /** Bytes of one frame, or of one message by HTTP. */
  maxPayloadBytes: 3_000_000,
  /** Bytes that wait for a client who reads too slowly; then it is cut off. Room for ten of the largest messages. */
  maxBufferedBytes: 32_000_000,
  /** A client that took nothing for so long of the much that waits for it is cut off too. */
  stalledTimeoutMs: 20_000,
  /** A client that sent nothing for so long, not even a heartbeat, is gone. */
  idleTimeoutMs: 60_000,
  /** How long a channel waits for messages from the database to arrive, where it asked to be told. */
  replicationTimeoutMs: 60_000,
  /** Milliseconds between two signs of life among the processes on one database. */
  signOfLifeMs: 2_000,
  /** The header in which a proxy names the client's address; null for none. */
  addressHeader: null as string | null,
};
