import { totalmem } from "node:os";

/** Memory available to this process: the machine's, or its container's limit. */
export function availableMemory(): number {
  const held = process.constrainedMemory();
  return held > 0 ? Math.min(held, totalmem()) : totalmem();
}
