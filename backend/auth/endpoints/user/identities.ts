import { about, asPerson, recorded } from "../../audit/recorded.ts";
import { AuthError, onDuplicate } from "../../auth-error.ts";
import { requireLinking } from "../../providers/require-linking.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { redirectAway } from "../../requests/redirect.ts";
import { isUuid } from "../../requests/uuid.ts";
import type { AuthService } from "../../service/auth-service.ts";
import { requireRecentProof } from "../../sessions/recent-proof.ts";
import { requireSecondFactor, requireUser } from "../../sessions/require-user.ts";
import { listProviders } from "../../users/identity-row.ts";
import { createOwnerNotice } from "../../users/owner-notice.ts";
import { sendNotice } from "../../users/send-notice.ts";
import { lockUser } from "../../users/user-row.ts";
import { leaveForProvider } from "../providers/authorize.ts";

type Identity = { identity_id: string; id: string; provider: string };

/**
 * GET /user/identities/authorize: redirects to a provider to link its identity to the account; returns the URL as JSON
 * if the client asks for that.
 */
export async function linkIdentity(call: Call, service: AuthService): Promise<Reply> {
  const { url, headers } = await leaveForProvider(call, service, await requireLinking(call, service));
  if (call.query.get("skip_http_redirect") === "true") return { status: 200, body: { url }, headers };
  return redirectAway(url, 302, headers);
}

/** DELETE /user/identities/{id}: removes an identity, but never the last one; its address or number goes with it. */
export async function unlinkIdentity(call: Call, service: AuthService): Promise<Reply> {
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
  const notice = await service.database.transaction(async (query) => {
    // Two concurrent requests must not remove the last two identities.
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
    await query(removeAddress(provider), [user.id]).catch(onDuplicate(addressIsTaken));
    await listProviders(query, user.id);
    return createOwnerNotice(service.config, query, user, { kind: "identity_removed", provider });
  });
  sendNotice(service, notice);
  return { status: 200, body: {} };
}

/** SQL that removes the address or number that came with an identity, and the codes sent there. */
function removeAddress(provider: string): string {
  if (provider === "phone") {
    return `
      with codes as (delete from auth.one_time_tokens where user_id = $1)
      update auth.users set phone = null, phone_confirmed_at = null, phone_change = '' where id = $1`;
  }
  const vouchedFor = `auth.identities where user_id = $1 and email is not null
    and (provider = 'email' or identity_data ->> 'email_verified' = 'true')`;
  // Another identity may have verified the same address, or one that can replace it.
  return `
    with codes as (delete from auth.one_time_tokens where user_id = $1),
      next as (select (select email from ${vouchedFor} order by provider = 'email' desc, created_at limit 1) as email)
    update auth.users set email = next.email, email_change = '',
      email_confirmed_at = case when next.email is not null then coalesce(email_confirmed_at, now()) end
    from next
    where users.id = $1 and not exists (select from ${vouchedFor} and email = users.email)`;
}

function addressIsTaken(): AuthError {
  const message = "Unable to unlink identity due to email conflict";
  return new AuthError(422, "email_conflict_identity_not_deletable", message);
}
