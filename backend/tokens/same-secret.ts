import { timingSafeEqual } from "node:crypto";

/** Constant-time comparison. */
export function isSameSecret(left: string, right: string): boolean {
  const [given, kept] = [Buffer.from(left), Buffer.from(right)];
  return given.length === kept.length && timingSafeEqual(given, kept);
}
