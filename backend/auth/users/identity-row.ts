import type { Query, Step } from "#backend/postgres/database.ts";

/** A way to sign in: the provider, the user's id there, and the data it provides about them. */
export type NewIdentity = { provider: string; providerId: string; data: Record<string, unknown> };

/** The step that adds an identity to an account; fails if any account already has it. */
export function insertIdentity(userId: string, { provider, providerId, data }: NewIdentity): Step {
  return {
    text: `
      insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
      values ($1, $2, $3, $4, now(), now(), now())`,
    values: [providerId, userId, JSON.stringify(data), provider],
  };
}

/** The id of the account that has the identity; null if there is none. */
export async function findOwner(
  query: Query,
  { provider, providerId }: Pick<NewIdentity, "provider" | "providerId">,
): Promise<string | null> {
  const text = "select user_id from auth.identities where provider = $1 and provider_id = $2";
  const [row] = await query(text, [provider, providerId]);
  return row?.user_id ?? null;
}

/** Rebuilds the list of an account's providers in its `app_metadata`, oldest first. */
export async function listProviders(query: Query, userId: string): Promise<void> {
  await query(
    `update auth.users set updated_at = now(),
       raw_app_meta_data = coalesce(raw_app_meta_data, '{}') || (
         select jsonb_build_object('provider', (array_agg(provider))[1], 'providers', jsonb_agg(provider))
         from (
           select provider from auth.identities where user_id = $1 group by provider order by min(created_at), provider
         ) as mine
       )
     where id = $1`,
    [userId],
  );
}
