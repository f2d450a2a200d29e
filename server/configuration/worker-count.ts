import { availableParallelism } from "node:os";
import { availableMemory } from "#backend/memory/available-memory.ts";

/** Per worker, PostgreSQL's share and the system's included. */
const MEMORY_OF_EACH = 512 * 1024 * 1024;
const MOST = 8;

/** Whether the kernel spreads connections across processes that listen on the same port. */
export const SPREADS_CONNECTIONS = process.platform === "linux";

/** One worker per available core, as far as memory allows. */
export function defaultWorkers(): number {
  if (!SPREADS_CONNECTIONS) return 1;
  return Math.max(1, Math.min(availableParallelism(), MOST, Math.floor(availableMemory() / MEMORY_OF_EACH)));
}
