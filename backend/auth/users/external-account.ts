import type { Query, Run } from "#backend/postgres/database.ts";
import { asPerson } from "../audit/recorded.ts";
import { AuthError } from "../auth-error.ts";
import type { Client } from "../requests/call.ts";
import type { AuthService } from "../service/auth-service.ts";
import { requireSignups } from "../service/features.ts";
import type { Proof } from "../service/own-tables.ts";
import { allowUser } from "./allow-user.ts";
import { type AllowedUser, createUser, type NewUser } from "./create-user.ts";
import { findOwner, type NewIdentity } from "./identity-row.ts";
import { mergedInto } from "./metadata.ts";
import { findUser, isBanned, type UserRow } from "./user-row.ts";

/** A user whose identity is asserted by a signature. */
export type VerifiedIdentity = {
  identity: NewIdentity;
  /** The remaining fields of the account, if it is new. */
  account: Pick<NewUser, "email" | "emailConfirmed" | "isSsoUser">;
  /** The signed message or assertion, which may be used once. */
  proof: Proof;
};

/** The proof was used before. */
export class UsedProofError extends Error {
  override name = "UsedProofError";
}

/**
 * Finds or creates the account of an identity (it never matches by address) and runs `work` in the same transaction:
 * the proof is spent only if all of it succeeds, unless used proofs are kept in memory.
 * @throws AuthError 403 if the account is banned or a hook refuses, 422 if sign-ups are disabled; UsedProofError
 */
export async function withAccount<Result>(
  service: AuthService,
  client: Client,
  verified: VerifiedIdentity,
  work: (query: Query, run: Run, user: UserRow) => Promise<Result>,
): Promise<Result> {
  const { database, config, own } = service;
  const spend = async (query: Query) => {
    if (!(await own.spend(query, verified.proof))) throw new UsedProofError();
  };
  const known = await findOwner(database.query, verified.identity);
  // Outside the transaction, since an operator's hook may be slow.
  const allowed = known === null ? await allowNew(service, verified, client) : null;
  // In memory it stays spent when the transaction is rolled back to run again.
  if (!own.areKept) await spend(database.query);
  return database.transaction(async (query, run) => {
    if (own.areKept) await spend(query);
    const user = allowed
      ? await createUser(run, allowed, config)
      : await refresh(query, known as string, verified);
    if (!user) throw new AuthError(409, "conflict", "This account is being made right now, please try again");
    if (isBanned(user)) throw new AuthError(403, "user_banned", "User is banned");
    return work(query, run, user);
  });
}

function allowNew(service: AuthService, verified: VerifiedIdentity, client: Client): Promise<AllowedUser> {
  const { identity, account } = verified;
  requireSignups(service);
  const { provider } = identity;
  const user: NewUser = {
    ...account,
    identity,
    userMetadata: identity.data,
    madeBy: (made) => ({
      action: "user_signedup",
      actor: asPerson(made, client),
      traits: { provider },
    }),
  };
  return allowUser(service, user, client);
}

/** Replaces the provider's data from earlier sign-ins with the current data. */
async function refresh(
  query: Query,
  userId: string,
  { identity, account }: VerifiedIdentity,
): Promise<UserRow | null> {
  const { provider, providerId, data } = identity;
  const identityData = JSON.stringify(data);
  await query(
    `update auth.identities set identity_data = $3, updated_at = now() where provider = $1 and provider_id = $2`,
    [provider, providerId, identityData],
  );
  await query(
    `update auth.users set raw_user_meta_data = ${mergedInto("raw_user_meta_data", "$2")}, updated_at = now(),
       email = case when is_sso_user then coalesce($3, email) else email end
     where id = $1`,
    [userId, identityData, account.email ?? null],
  );
  return findUser(query, "id", userId);
}
