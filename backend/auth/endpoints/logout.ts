import { type Act, asPerson, recorded } from "../audit/recorded.ts";
import { validationFailed } from "../auth-error.ts";
import type { Call, Reply } from "../requests/call.ts";
import type { AuthService } from "../service/auth-service.ts";
import { requireSecondFactor, requireUserOrApplication } from "../sessions/require-user.ts";

// An aal1 session cannot end aal2 sessions.
const conditions: Record<string, string> = {
  global: "user_id = $1 and (id = $2 or coalesce(aal, 'aal1') <= $3::auth.aal_level)",
  local: "user_id = $1 and id = $2 and $3::auth.aal_level is not null",
  others: "user_id = $1 and id <> $2 and coalesce(aal, 'aal1') <= $3::auth.aal_level",
};

/** POST /logout: ends sessions and, with them, their refresh tokens. */
export async function logOut(call: Call, service: AuthService): Promise<Reply> {
  const scope = call.query.get("scope") ?? "global";
  if (!Object.hasOwn(conditions, scope))
    throw validationFailed(`Unsupported logout scope "${scope.slice(0, 50)}"`);
  const person = await requireUserOrApplication(call, service);
  const { user, session } = person;
  if (scope === "others") {
    requireSecondFactor(person, "AAL2 session is required to end other sessions");
  }
  // An application can end only its own session.
  const condition = conditions[session.oauth_client_id == null ? scope : "local"];
  const act: Act = { action: "logout", actor: asPerson(user, call.client) };
  const text = `delete from auth.sessions where ${condition}`;
  await service.database.query(...recorded(act, text, [user.id, session.id, session.aal ?? "aal1"]));
  return { status: 204 };
}
