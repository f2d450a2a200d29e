import { mapRoutes, type Routes } from "#backend/http/router.ts";
import { RevokedTokenError } from "#backend/tokens/token-error.ts";
import { type Actor, asOperator } from "../audit/recorded.ts";
import { AuthError } from "../auth-error.ts";
import type { AuthService } from "../service/auth-service.ts";
import { sessionNotFound, verifyBearer } from "./bearer.ts";
import type { Call, Endpoint } from "./call.ts";

/**
 * Resolves with the server as an actor for the audit log.
 * @throws AuthError 401 without a token, 403 unless its role is the secret key's or another admin role
 */
async function requireAdmin({ request, client }: Call, service: AuthService): Promise<Actor> {
  const { role } = await verifyBearer(request, service).catch((cause) => {
    throw cause instanceof RevokedTokenError ? sessionNotFound() : cause;
  });
  if (!service.config.adminRoles.includes(role)) {
    throw new AuthError(403, "not_admin", "User not allowed");
  }
  return asOperator(role, client);
}

/** A request from a server with the secret key; `operator` names it in the audit log. */
export type AdminCall = Call & { operator: Actor };

/** The same routes, restricted to callers that `requireAdmin` accepts. */
export function forAdmins(routes: Routes<Endpoint<AdminCall>>): Routes<Endpoint> {
  return mapRoutes(routes, (endpoint) => async (call, service) => {
    const operator = await requireAdmin(call, service);
    return endpoint({ ...call, operator }, service);
  });
}

/** Whether the caller is a server using the secret key. */
export async function isAdmin(call: Call, service: AuthService): Promise<boolean> {
  return requireAdmin(call, service).then(
    () => true,
    (cause) => {
      if (cause instanceof AuthError) return false;
      throw cause;
    },
  );
}
