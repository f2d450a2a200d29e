import { availableParallelism, totalmem } from "node:os";

/** PostgreSQL and the rest of the machine need some of it too. */
const MEMORY_OF_EACH = 512 * 1024 * 1024;
const MOST = 8;

/** Memory that this process may use: the machine's, or what its container is held to. */
export function availableMemory(): number {
  const held = process.constrainedMemory();
  return held > 0 ? Math.min(held, totalmem()) : totalmem();
}

/** Whether the kernel spreads connections over processes that listen on one port. */
export const SPREADS_CONNECTIONS = process.platform === "linux";

/** One for each core that it may run on, as far as the memory goes. */
export function defaultWorkers(cores = availableParallelism(), memory = availableMemory()): number {
  if (!SPREADS_CONNECTIONS) return 1;
  return Math.max(1, Math.min(cores, MOST, Math.floor(memory / MEMORY_OF_EACH)));
}
