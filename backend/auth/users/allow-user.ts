import { randomUUID } from "node:crypto";
import { hookRefused } from "../hooks/hook-faults.ts";
import { REJECT } from "../hooks/hook-table.ts";
import type { AuthService } from "../service/auth-service.ts";
import { type AllowedUser, type NewUser, waitForCreation } from "./create-user.ts";
import { toUserJson } from "./user-json.ts";

type Service = Pick<AuthService, "hooks" | "database" | "later" | "config">;
type Origin = { address: string | null };

/**
 * Asks the operator's hook whether an account may be created. Do not call it inside a transaction: that would hold a
 * connection for as long as the hook takes.
 * @throws AuthError the hook's refusal
 */
export async function allowUser(service: Service, user: NewUser, { address }: Origin): Promise<AllowedUser> {
  const withId = { ...user, id: user.id ?? randomUUID() };
  const answer = await service.hooks.run("beforeUserCreated", { user: describe(withId, service) }, address);
  if (answer?.decision === REJECT) {
    throw hookRefused(403, answer.message || "This account can't be created.");
  }
  return allowOperators(service, withId, { address });
}

/** Skips the `beforeUserCreated` hook, for accounts that an operator creates. */
export function allowOperators(service: Service, user: NewUser, { address }: Origin): AllowedUser {
  const { hooks, database, later } = service;
  const id = user.id ?? randomUUID();
  let isReported = false;
  const created = () =>
    later(async () => {
      const row = await waitForCreation(database.run, id);
      // Called again if the transaction ran again: each waits, as the first may find what was rolled back.
      if (!row || isReported) return;
      isReported = true;
      await hooks.run("afterUserCreated", { user: toUserJson(row) }, address);
    });
  return { ...user, id, ...(hooks.has("afterUserCreated") && { created }) } as AllowedUser;
}

/** The account as it would be created, in the form that the hook receives. */
function describe(
  { id, email, phone, role, userMetadata, appMetadata, isAnonymous }: NewUser,
  { config }: Pick<Service, "config">,
): Record<string, unknown> {
  const providers = [...(email ? ["email"] : []), ...(phone ? ["phone"] : [])];
  const now = new Date().toISOString();
  return {
    id,
    aud: config.audience,
    role: role || config.defaultRole,
    email: email ?? "",
    phone: phone ?? "",
    app_metadata: { provider: providers[0], providers, ...appMetadata },
    user_metadata: userMetadata ?? {},
    identities: [],
    created_at: now,
    updated_at: now,
    is_anonymous: isAnonymous ?? false,
  };
}
