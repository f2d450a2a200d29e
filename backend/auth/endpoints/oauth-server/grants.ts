import { asPerson, entryOf } from "../../audit/recorded.ts";
import { AuthError, validationFailed } from "../../auth-error.ts";
import { describeApplication } from "../../oauth-server/application.ts";
import { listConsents, revokeConsent } from "../../oauth-server/consent.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { isUuid } from "../../requests/uuid.ts";
import type { AuthService } from "../../service/auth-service.ts";
import { requireSecondFactor, requireUser } from "../../sessions/require-user.ts";
import { parseScopes } from "../../sessions/scopes.ts";
import { toTime } from "../../users/user-json.ts";

/** GET /user/oauth/grants: the applications that may act for the user. */
export async function listGrants(call: Call, service: AuthService): Promise<Reply> {
  const { user } = await requireUser(call, service);
  const consents = await listConsents(service.database.query, user.id);
  const body = consents.map((row) => ({
    client: describeApplication(row),
    scopes: parseScopes(row.scopes ?? ""),
    granted_at: toTime(row.granted_at),
  }));
  return { status: 200, body };
}

/** DELETE /user/oauth/grants?client_id=…: also ends the application's sessions and invalidates its unused code. */
export async function revokeGrant(call: Call, service: AuthService): Promise<Reply> {
  const person = await requireUser(call, service);
  requireSecondFactor(person, "AAL2 session is required to remove an application when MFA is enabled");
  const { user } = person;
  const id = call.query.get("client_id") ?? "";
  if (id === "") throw validationFailed("client_id query parameter is required");
  if (!isUuid(id)) throw validationFailed("invalid client_id format");
  const traits = { oauth_client_id: id, action: "revoke_oauth_grant" };
  await service.database.transaction(async (query) => {
    if (!(await revokeConsent(query, user.id, id))) {
      throw new AuthError(404, "oauth_consent_not_found", "No active grant found for this client");
    }
    await query(...entryOf({ action: "token_revoked", actor: asPerson(user, call.client), traits }));
  });
  return { status: 204 };
}
