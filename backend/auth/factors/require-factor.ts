import type { Row } from "#backend/postgres/database.ts";
import { type Actor, asPerson } from "../audit/recorded.ts";
import { AuthError } from "../auth-error.ts";
import type { Call } from "../requests/call.ts";
import { isUuid } from "../requests/uuid.ts";
import type { AuthService } from "../service/auth-service.ts";
import { requireUser, type SignedIn } from "../sessions/require-user.ts";

export type Factor = Row & { id: string; status: "verified" | "unverified"; factor_type: string };

/** A factor with its owner, and the caller's session. */
export type OwnFactor = SignedIn & { factor: Factor; actor: Actor };

/** The id of a factor in the path. @throws AuthError 404 if it is none */
export function requireFactorId(id: string | undefined): string {
  if (!isUuid(id)) throw new AuthError(404, "validation_failed", "factor_id must be an UUID");
  return id;
}

/** The caller's factor named in the path. @throws AuthError 404, also for another user's factor */
export async function requireFactor(call: Call, service: AuthService): Promise<OwnFactor> {
  const person = await requireUser(call, service);
  const id = requireFactorId(call.params.id);
  const [factor] = await service.database.query(
    "select * from auth.mfa_factors where id = $1 and user_id = $2",
    [id, person.user.id],
  );
  if (!factor) throw new AuthError(404, "mfa_factor_not_found", "Factor not found");
  return { ...person, factor: factor as Factor, actor: asPerson(person.user, call.client) };
}
