const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Limits the method to a fixed set, whatever clients send. */
export function knownMethod(method: string): string {
  return METHODS.has(method) ? method : "other";
}
