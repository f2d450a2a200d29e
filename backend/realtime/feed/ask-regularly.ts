import type { LogicalReplicationService } from "pg-logical-replication";

/**
 * Stops a stream whose database has said nothing for `patience` milliseconds, not even to a question: without one, it
 * would not notice that a firewall dropped the connection. Only a stream can be asked: until it has started, nothing but
 * the probes of `KEEP_ALIVE` tells, and creating a slot can take as long as the longest transaction.
 */
export function askRegularly(
  service: LogicalReplicationService,
  patience: number,
): { hear(): void; end(): void } {
  /** Whether the database has said anything since the last question. */
  let isHeard = true;
  let questions: NodeJS.Timeout | undefined;
  service.on("start", () => {
    questions = setInterval(() => {
      // Timers run before sockets are read: the answer may be there already.
      setImmediate(() => {
        if (!isHeard) return void service.stop();
        isHeard = false;
        void service.acknowledge(service.lastLsn(), true);
      });
    }, patience).unref();
  });
  return {
    hear() {
      isHeard = true;
    },
    end: () => clearInterval(questions),
  };
}
