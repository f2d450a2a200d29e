/**
 * How Node is told to give memory back: what was a flood's stays its own otherwise. Large pieces come from the system one
 * by one and go back to it when they are freed (glibc's malloc, elsewhere without effect), and what lives for a moment
 * gets little room.
 */
export const LEAN_FLAGS = ["--max-semi-space-size=4"];
export const LEAN_ENVIRONMENT = {
  MALLOC_ARENA_MAX: "1",
  MALLOC_MMAP_THRESHOLD_: "16384",
  MALLOC_TRIM_THRESHOLD_: "65536",
};

/** Begins this very process anew with them, since both are read once only; nothing where it has them. */
export function restartLean() {
  if (process.platform !== "linux" || !process.execve || process.env.MALLOC_MMAP_THRESHOLD_) return;
  const args = [process.execPath, ...LEAN_FLAGS, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, args, { ...process.env, ...LEAN_ENVIRONMENT });
}
