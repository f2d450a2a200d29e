import { type Act, asPerson, type Named } from "../audit/recorded.ts";
import { AuthError } from "../auth-error.ts";
import type { Call, Reply } from "../requests/call.ts";
import type { AuthService } from "../service/auth-service.ts";
import { requireSignups } from "../service/features.ts";
import { signIn } from "../sessions/start-session.ts";
import { allowUser } from "../users/allow-user.ts";
import { createUser } from "../users/create-user.ts";

/**
 * POST /signup without an address: creates an account that only this session can access, until `PUT /user` gives it an
 * address.
 * @throws AuthError 422 if anonymous sign-ins are disabled, 429 over the network's limit
 */
export async function signUpAnonymously(
  call: Call,
  service: AuthService,
  userMetadata: Record<string, unknown>,
): Promise<Reply> {
  const { config, database, limits } = service;
  if (!config.anonymousUsers) {
    throw new AuthError(422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled");
  }
  requireSignups(service);
  await limits.take("signUpAnonymously", call.client.network);
  const madeBy = (made: Named): Act => ({
    action: "user_signedup",
    actor: asPerson(made, call.client),
    traits: { provider: "anonymous" },
  });
  const allowed = await allowUser(service, { isAnonymous: true, userMetadata, madeBy }, call.client);
  const user = await createUser(database.run, allowed, config);
  // Cannot conflict with another account: the id is random, and there is no address.
  if (!user) throw new AuthError(500, "unexpected_failure", "Database error creating anonymous user");
  return signIn(service, user, "anonymous", call.client);
}
