import { AuthError } from "../auth-error.ts";
import type { AuthService } from "../auth-service.ts";
import { removeFactor } from "../factors/unenroll.ts";
import type { Call, Reply } from "../requests/call.ts";
import { toUserJson } from "../users/user-json.ts";
import type { UserRow } from "../users/user-row.ts";
import { requireAccount } from "./manage-user.ts";

type FactorJson = { id: string };

/** GET /admin/users/{id}/factors */
export async function listFactors(call: Call, service: AuthService): Promise<Reply> {
  return { status: 200, body: factorsOf((await requireAccount(call, service)).user) };
}

/** DELETE /admin/users/{id}/factors/{factor}: for somebody who lost it. */
export async function deleteFactor(call: Call, service: AuthService): Promise<Reply> {
  const { user, operator } = await requireAccount(call, service);
  const factor = factorsOf(user).find(({ id }) => id === call.params.factor);
  if (!factor) throw new AuthError(404, "mfa_factor_not_found", "Factor not found");
  await service.database.transaction((query) =>
    removeFactor(query, factor.id, {
      action: "factor_deleted",
      actor: operator,
      traits: { user_id: user.id, factor_id: factor.id },
    }),
  );
  return { status: 200, body: factor };
}

function factorsOf(user: UserRow): FactorJson[] {
  return (toUserJson(user).factors as FactorJson[] | undefined) ?? [];
}
