import type { AuthService } from "../auth-service.ts";
import { requireUser } from "../requests/authenticate.ts";
import type { Call, Reply } from "../requests/call.ts";
import { toUserJson } from "../users/user-json.ts";

/** GET /user: the person as they are now, not as their token says. */
export async function getUser(call: Call, service: AuthService): Promise<Reply> {
  const { user } = await requireUser(call.request, service);
  return { status: 200, body: toUserJson(user) };
}
