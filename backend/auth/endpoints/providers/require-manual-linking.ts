import { AuthError } from "../../auth-error.ts";
import type { AuthService } from "../../service/auth-service.ts";

/** @throws AuthError 404 where people may not add and remove ways to sign in */
export function requireManualLinking({ config }: AuthService): void {
  if (config.manualLinking) return;
  throw new AuthError(404, "manual_linking_disabled", "Manual linking is disabled");
}
