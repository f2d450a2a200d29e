import { vi } from "vitest";

/** Looks again and again until it throws no more: Vitest's own second is short on a busy machine. */
export function patiently<T>(look: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(look, { timeout: 30_000 });
}
