/** How much one client, and all of them together, may ask of the service. */
export type RealtimeConfig = {
  /** Whether only channels that policies name carry anything; else whoever has a key may open any other. */
  privateOnly: boolean;
  /** Open sockets at once, of everybody. */
  maxConnections: number;
  /** Open sockets at once from one network address. */
  maxConnectionsPerAddress: number;
  /** Channels at once on one socket. */
  maxChannelsPerClient: number;
  /** Joins a second on one socket. */
  maxJoinsPerSecond: number;
  /** Messages a second on one socket. */
  maxEventsPerSecond: number;
  /** Messages a second by HTTP from one network address; whoever has the secret key may send more. */
  maxHttpMessagesPerSecond: number;
  /** Presence messages of one channel within `presenceWindowMs`. */
  maxPresenceCalls: number;
  presenceWindowMs: number;
  /** Bytes of the presence payload of one channel, as JSON: everyone in the room receives it. */
  maxPresenceBytes: number;
  /** Bytes of one frame, or of one message by HTTP. */
  maxPayloadBytes: number;
  /** Bytes that wait for a client who reads too slowly; then it is cut off. Room for ten of the largest messages. */
  maxBufferedBytes: number;
  /** A client that took nothing for so long of the much that waits for it is cut off too. */
  stalledTimeoutMs: number;
  /** A client that sent nothing for so long, not even a heartbeat, is gone. */
  idleTimeoutMs: number;
  /** How long a channel waits for messages from the database to arrive, where it asked to be told. */
  replicationTimeoutMs: number;
  /** Milliseconds between two signs of life among the processes on one database. */
  signOfLifeMs: number;
  /** The header in which a proxy names the client's address; null for none. */
  addressHeader: string | null;
};

export const defaultRealtimeConfig: RealtimeConfig = {
  privateOnly: false,
  maxConnections: 10_000,
  maxConnectionsPerAddress: 1_000,
  maxChannelsPerClient: 100,
  maxJoinsPerSecond: 100,
  maxEventsPerSecond: 100,
  maxHttpMessagesPerSecond: 1_000,
  maxPresenceCalls: 30,
  presenceWindowMs: 30_000,
  maxPresenceBytes: 4_096,
  maxPayloadBytes: 3_000_000,
  maxBufferedBytes: 32_000_000,
  stalledTimeoutMs: 20_000,
  idleTimeoutMs: 60_000,
  replicationTimeoutMs: 60_000,
  signOfLifeMs: 2_000,
  addressHeader: null,
};
