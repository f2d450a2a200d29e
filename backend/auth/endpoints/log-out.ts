import { type Act, asPerson, recorded } from "../audit/recorded.ts";
import { validationFailed } from "../auth-error.ts";
import type { AuthService } from "../auth-service.ts";
import { requireUser } from "../requests/authenticate.ts";
import type { Call, Reply } from "../requests/call.ts";

const ended: Record<string, string> = {
  global: "user_id = $1 and $2::uuid is not null",
  local: "user_id = $1 and id = $2",
  others: "user_id = $1 and id <> $2",
};

/** POST /logout: ends sessions, and with them their refresh tokens. */
export async function logOut(call: Call, service: AuthService): Promise<Reply> {
  const scope = call.query.get("scope") ?? "global";
  const which = Object.hasOwn(ended, scope) ? ended[scope] : undefined;
  if (!which) throw validationFailed(`Unsupported logout scope "${scope.slice(0, 50)}"`);
  const { user, session } = await requireUser(call.request, service);
  const act: Act = { action: "logout", actor: asPerson(user, call.client) };
  const text = `delete from auth.sessions where ${which}`;
  await service.database.query(...recorded(act, text, [user.id, session.id]));
  return { status: 204 };
}
