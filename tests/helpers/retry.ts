import { vi } from "vitest";

/** Retries until it stops throwing: Vitest's default of one second is too short on a busy machine. */
export function retryUntilPassing<T>(look: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(look, { timeout: 30_000 });
}
