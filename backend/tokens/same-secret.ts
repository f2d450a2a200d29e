import { timingSafeEqual } from "node:crypto";

/** Compares in a time that does not tell where they differ. */
export function isSameSecret(left: string, right: string): boolean {
  const [given, kept] = [Buffer.from(left), Buffer.from(right)];
  return given.length === kept.length && timingSafeEqual(given, kept);
}
