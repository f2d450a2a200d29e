const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** One of a bounded number, whatever a caller makes up. */
export function knownMethod(method: string): string {
  return METHODS.has(method) ? method : "other";
}
