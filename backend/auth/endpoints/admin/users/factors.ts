import * as v from "valibot";
import { type Act, recorded } from "../../../audit/recorded.ts";
import { AuthError, onDuplicate } from "../../../auth-error.ts";
import { removeFactor } from "../../../factors/remove-factor.ts";
import { requireFactorId } from "../../../factors/require-factor.ts";
import type { Reply } from "../../../requests/call.ts";
import { readBody, text } from "../../../requests/read-body.ts";
import type { AdminCall } from "../../../requests/require-admin.ts";
import type { AuthService } from "../../../service/auth-service.ts";
import { readPhone } from "../../../users/address.ts";
import { toUserJson } from "../../../users/user-json.ts";
import type { UserRow } from "../../../users/user-row.ts";
import { requireAccount } from "./manage-user.ts";

type FactorJson = { id: string; factor_type: string };

/** GET /admin/users/{id}/factors */
export async function listFactors(call: AdminCall, service: AuthService): Promise<Reply> {
  return { status: 200, body: factorsOf(await requireAccount(call, service)) };
}

/** DELETE /admin/users/{id}/factors/{factor}: for a user who lost it. */
export async function deleteFactor(call: AdminCall, service: AuthService): Promise<Reply> {
  const { user, factor } = await requireAccountFactor(call, service);
  await service.database.transaction((query) =>
    removeFactor(query, factor.id, {
      action: "factor_deleted",
      actor: call.operator,
      traits: { user_id: user.id, factor_id: factor.id },
    }),
  );
  return { status: 200, body: factor };
}

const Fields = v.object({ friendly_name: text, phone: text });

/** PUT /admin/users/{id}/factors/{factor}: changes the name, or the number of a phone factor. */
export async function changeFactor(call: AdminCall, service: AuthService): Promise<Reply> {
  const { user, factor } = await requireAccountFactor(call, service);
  const { friendly_name: name, phone } = readBody(call.request, Fields);
  const number = phone !== "" && factor.factor_type === "phone" ? readPhone(phone) : null;
  const change = `
    update auth.mfa_factors set updated_at = now(), friendly_name = coalesce(nullif($2, ''), friendly_name),
      phone = coalesce($3, phone)
    where id = $1`;
  const traits = { user_id: user.id, factor_id: factor.id, factor_type: factor.factor_type };
  const act: Act = { action: "factor_updated", actor: call.operator, traits };
  const message = "A factor with this name or number already exists";
  await service.database
    .query(...recorded(act, change, [factor.id, name, number]))
    .catch(onDuplicate(() => new AuthError(422, "mfa_factor_name_conflict", message)));
  return { status: 200, body: (await requireAccountFactor(call, service)).factor };
}

async function requireAccountFactor(call: AdminCall, service: AuthService) {
  const user = await requireAccount(call, service);
  const wanted = requireFactorId(call.params.factor);
  const factor = factorsOf(user).find(({ id }) => id === wanted);
  if (!factor) throw new AuthError(404, "mfa_factor_not_found", "Factor not found");
  return { user, factor };
}

function factorsOf(user: UserRow): FactorJson[] {
  return (toUserJson(user).factors as FactorJson[] | undefined) ?? [];
}
