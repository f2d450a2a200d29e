import { about, asPerson, recorded } from "../../audit/recorded.ts";
import { AuthError, validationFailed } from "../../auth-error.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { isUuid } from "../../requests/uuid.ts";
import type { AuthService } from "../../service/auth-service.ts";
import { requireRecentProof } from "../../sessions/recent-proof.ts";
import { requireSecondFactor, requireUser } from "../../sessions/require-user.ts";
import { lockUser } from "../../users/user-row.ts";

type Identity = { identity_id: string; id: string; provider: string };

/** GET /user/identities/authorize: there is no other provider to link an account with yet. */
export async function linkIdentity(call: Call, service: AuthService): Promise<Reply> {
  requireManualLinking(service);
  await requireRecentProof(await requireUser(call, service), service);
  throw validationFailed("Unsupported provider: provider is not enabled");
}

/** DELETE /user/identities/{id}: removes a way to sign in, but never the last one; its address or number goes with it. */
export async function unlinkIdentity(call: Call, service: AuthService): Promise<Reply> {
  requireManualLinking(service);
  const { id = "" } = call.params;
  if (!isUuid(id)) throw new AuthError(404, "validation_failed", "identity_id must be an UUID");
  const person = await requireUser(call, service);
  const { user } = person;
  requireSecondFactor(person, "AAL2 session is required to unlink an identity when MFA is enabled");
  await requireRecentProof(person, service);
  const identities = JSON.parse(user.identities) as Identity[];
  if (identities.length <= 1) {
    const message = "User must have at least 1 identity after unlinking";
    throw new AuthError(422, "single_identity_not_deletable", message);
  }
  const identity = identities.find(({ identity_id }) => identity_id === id);
  if (!identity) throw new AuthError(422, "identity_not_found", "Identity doesn't exist");
  const { provider } = identity;
  const traits = { ...about(user), identity_id: id, provider, provider_id: identity.id };
  await service.database.transaction(async (query) => {
    // Two removals at once must not remove both.
    await lockUser(query, user.id);
    const [text, values] = recorded(
      { action: "identity_unlinked", actor: asPerson(user, call.client), traits },
      `delete from auth.identities where id = $2 and user_id = $1
         and exists (select from auth.identities as other where other.user_id = $1 and other.id <> $2) returning id`,
      [user.id, id],
    );
    if ((await query(text, values)).length === 0) {
      throw new AuthError(422, "identity_not_found", "Identity doesn't exist");
    }
    await query(removeAddress(provider), [user.id]);
  });
  return { status: 200, body: {} };
}

/** Removes the address or number with its identity, and the codes sent there; then lists the providers anew. */
function removeAddress(provider: string): string {
  const gone =
    provider === "email"
      ? "email = null, email_confirmed_at = null, email_change = '',"
      : provider === "phone"
        ? "phone = null, phone_confirmed_at = null, phone_change = '',"
        : "";
  return `
    with codes as (delete from auth.one_time_tokens where user_id = $1)
    update auth.users set ${gone} updated_at = now(),
      raw_app_meta_data = coalesce(raw_app_meta_data, '{}') || (
        select jsonb_build_object(
          'provider', (array_agg(provider order by created_at))[1], 'providers', jsonb_agg(provider order by created_at)
        ) from auth.identities where user_id = $1
      )
    where id = $1`;
}

function requireManualLinking({ config }: AuthService): void {
  if (config.manualLinking) return;
  throw new AuthError(404, "manual_linking_disabled", "Manual linking is disabled");
}
