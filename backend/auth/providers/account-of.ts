import type { Query, Run } from "#backend/postgres/database.ts";
import { asPerson, entryOf, type Origin } from "../audit/recorded.ts";
import { AuthError, onDuplicate } from "../auth-error.ts";
import type { ProvidedPerson, Provider } from "../provider-protocols/provider.ts";
import type { AuthConfig } from "../service/auth-config.ts";
import type { AuthService } from "../service/auth-service.ts";
import { requireSignups } from "../service/features.ts";
import { allowUser } from "../users/allow-user.ts";
import { type AllowedUser, createUser, type NewUser } from "../users/create-user.ts";
import { findOwner, insertIdentity, listProviders, type NewIdentity } from "../users/identity-row.ts";
import { mergedInto } from "../users/metadata.ts";
import { createOwnerNotice, type OwnerNotice } from "../users/owner-notice.ts";
import { isAddressProved } from "../users/proved-address.ts";
import { emailExists } from "../users/taken-address.ts";
import { findUser, isBanned, lockUser, type UserRow } from "../users/user-row.ts";
import type { LinkTarget } from "./provider-flow.ts";
import { removeUnprovedCredentials, requireUndisputed } from "./unproved-credentials.ts";

/** The context of one transaction, which rolls back on a throw. */
export type Here = { query: Query; run: Run; config: AuthConfig; client: Origin };

/** The user the provider authenticated, and the notice to send after the commit. */
export type ProviderAccount = { user: UserRow; notice: OwnerNotice | null };

type From = Pick<Provider, "id" | "emailOptional">;

/**
 * The account of a user who signed in at a provider: the one with that identity; otherwise the one with the same
 * address, if the provider verified it; otherwise a new one.
 * @param allowed the result of `allowAccount`
 * @throws AuthError 403 if the account is banned
 */
export async function accountOf(
  here: Here,
  provider: From,
  provided: ProvidedPerson,
  allowed: AllowedUser | null,
): Promise<ProviderAccount> {
  const person = await underOwnAddress(here.query, provider, provided);
  const found =
    (await findKnown(here, provider, person)) ??
    (await linkByAddress(here, provider, person)) ??
    (await makeAccount(here, allowed));
  if (isBanned(found.user)) throw new AuthError(403, "user_banned", "User is banned");
  return found;
}

/**
 * The user with the address of their account here, if the provider verified that one too: the primary address there may
 * be another, and would lead to a second account.
 */
async function underOwnAddress(
  query: Query,
  provider: From,
  person: ProvidedPerson,
): Promise<ProvidedPerson> {
  const { email, emailVerified, otherEmails } = person;
  if (otherEmails.length === 0) return person;
  const verified = [...(email !== null && emailVerified ? [email] : []), ...otherEmails];
  const owner = await findOwner(query, keyOf(provider, person));
  let account = owner === null ? null : await findUser(query, "id", owner);
  for (const address of owner === null ? verified : []) account ??= await findUser(query, "email", address);
  const own = verified.find((address) => address === account?.email);
  return own === undefined ? person : { ...person, email: own, emailVerified: true };
}

async function findKnown(
  here: Here,
  provider: From,
  person: ProvidedPerson,
): Promise<ProviderAccount | null> {
  const userId = await findOwner(here.query, keyOf(provider, person));
  if (userId === null) return null;
  await here.query(
    `update auth.identities set identity_data = $3, last_sign_in_at = now(), updated_at = now()
     where provider = $1 and provider_id = $2`,
    [provider.id, person.subject, JSON.stringify(dataOf(here.config, person))],
  );
  await keepProfile(here, userId, person);
  return { user: (await findUser(here.query, "id", userId)) as UserRow, notice: null };
}

/** Never links by an address that the provider did not verify, since it may be anyone's. */
async function linkByAddress(
  here: Here,
  provider: From,
  person: ProvidedPerson,
): Promise<ProviderAccount | null> {
  const { query, config } = here;
  const { email } = person;
  const found = email && person.emailVerified ? await findUser(query, "email", email) : null;
  if (!found || !email) return null;
  await lockUser(query, found.id);
  // Another tab may have linked it meanwhile; its session would be ended, or this one fail.
  const linked = await findKnown(here, provider, person);
  if (linked) return linked;
  const account = await findUser(query, "email", email);
  if (!account) return null;
  if (!isAddressProved(account, config)) {
    await requireUndisputed(query, account, config);
    await removeUnprovedCredentials(query, account.id);
  }
  await keepProfile(here, account.id, person);
  return add(here, account, provider, person);
}

/**
 * The account to create, or null if there is one already. Called before the transaction, since it runs the operator's
 * hook.
 * @throws AuthError 422 if sign-ups are disabled or the address is not verified; the hook's refusal
 */
export async function allowAccount(
  service: AuthService,
  provider: From,
  provided: ProvidedPerson,
  client: Origin,
): Promise<AllowedUser | null> {
  const { config, database } = service;
  const { query } = database;
  const person = await underOwnAddress(query, provider, provided);
  if (await findOwner(query, keyOf(provider, person))) return null;
  if (person.email && person.emailVerified && (await findUser(query, "email", person.email))) return null;
  requireSignups({ config });
  const user: NewUser = {
    email: await addressForNew({ config, query }, provider, person),
    emailConfirmed: true,
    userMetadata: config.providerProfiles ? dataOf(config, person) : {},
    identity: identityOf(config, provider, person),
    madeBy: (made) => ({
      action: "user_signedup",
      actor: asPerson(made, client),
      traits: { provider: provider.id },
    }),
  };
  return allowUser(service, user, client);
}

async function makeAccount({ config, run }: Here, allowed: AllowedUser | null): Promise<ProviderAccount> {
  const user = allowed && (await createUser(run, allowed, config));
  // Two tabs signing in at once: on retry, the second one finds the first one's account.
  if (!user) throw new AuthError(409, "conflict", "This account is being made right now, please try again");
  return { user, notice: null };
}

/**
 * An unverified address is not stored: its owner would find their account in a stranger's hands. If accounts need no
 * confirmation, it is accepted as entered, as at sign-up.
 */
async function addressForNew(
  { config, query }: Pick<Here, "config" | "query">,
  { id, emailOptional }: From,
  { email, emailVerified }: ProvidedPerson,
): Promise<string | null> {
  if (email !== null && emailVerified) return email;
  if (email !== null && config.mailerAutoconfirm && !(await findUser(query, "email", email))) return email;
  if (emailOptional) return null;
  const message =
    email === null
      ? "Error getting user email from external provider"
      : `Unverified email with ${id}. Verify the email with ${id} in order to sign in`;
  throw new AuthError(422, "provider_email_needs_verification", message);
}

/**
 * Adds an identity to an account at its owner's request.
 * @throws AuthError 422 if any account already has it, 400 if the session that asked has ended meanwhile: whoever ends a
 * stranger's session must be rid of what the stranger began
 */
export async function linkTo(
  here: Here,
  { userId, sessionId }: LinkTarget,
  provider: From,
  person: ProvidedPerson,
): Promise<ProviderAccount> {
  const { query } = here;
  await lockUser(query, userId);
  const account = await findUser(query, "id", userId);
  if (!account) throw new AuthError(422, "user_not_found", "Linking target user not found");
  if (isBanned(account)) throw new AuthError(403, "user_banned", "User is banned");
  const open = "select from auth.sessions where id::text = $1 and user_id = $2 for key share";
  if ((await query(open, [sessionId, userId])).length === 0) {
    throw new AuthError(400, "bad_oauth_state", "The session that began this has ended");
  }
  const owner = await findOwner(query, keyOf(provider, person));
  if (owner !== null) {
    const message =
      owner === userId ? "Identity is already linked" : "Identity is already linked to another user";
    throw alreadyLinked(message);
  }
  if (
    !account.email &&
    person.email &&
    person.emailVerified &&
    !(await findUser(query, "email", person.email))
  ) {
    const text = "update auth.users set email = $2, email_confirmed_at = now() where id = $1";
    await query(text, [userId, person.email]).catch(onDuplicate(emailExists));
  }
  await query("update auth.users set is_anonymous = false where id = $1 and is_anonymous", [userId]);
  return add(here, account, provider, person);
}

/** Adds an identity, and notifies the owner at the address the account had before. */
async function add(
  here: Here,
  account: UserRow,
  provider: From,
  person: ProvidedPerson,
): Promise<ProviderAccount> {
  const { query, run, config, client } = here;
  const traits = { provider: provider.id };
  await run([insertIdentity(account.id, identityOf(config, provider, person))]).catch(
    onDuplicate(() => alreadyLinked("Identity is already linked to another user")),
  );
  await query(...entryOf({ action: "user_modified", actor: asPerson(account, client), traits }));
  await listProviders(query, account.id);
  const notice = await createOwnerNotice(config, query, account, { kind: "identity", provider: provider.id });
  return { user: (await findUser(query, "id", account.id)) as UserRow, notice };
}

const alreadyLinked = (message: string) => new AuthError(422, "identity_already_exists", message);

function keyOf({ id }: From, { subject }: ProvidedPerson) {
  return { provider: id, providerId: subject };
}

function identityOf(config: AuthConfig, provider: From, person: ProvidedPerson): NewIdentity {
  return { ...keyOf(provider, person), data: dataOf(config, person) };
}

/** The stored data of a user, under the hosted service's names. */
function dataOf({ providerProfiles }: AuthConfig, person: ProvidedPerson): Record<string, unknown> {
  return {
    ...(providerProfiles && boundedProfile(person)),
    sub: person.subject,
    provider_id: person.subject,
    ...(person.email !== null && { email: person.email }),
    email_verified: person.emailVerified,
    phone_verified: false,
  };
}

const MAX_PROFILE_BYTES = 4_000;

/** A provider's data may be of any length. */
function boundedProfile({ profile }: ProvidedPerson): Record<string, unknown> {
  const profileData = Object.fromEntries(
    Object.entries(profile).filter(([, value]) => value != null && value !== ""),
  );
  return Buffer.byteLength(JSON.stringify(profileData)) > MAX_PROFILE_BYTES ? {} : profileData;
}

async function keepProfile({ query, config }: Here, userId: string, person: ProvidedPerson): Promise<void> {
  if (!config.providerProfiles) return;
  const merged = mergedInto("raw_user_meta_data", "$2");
  await query(`update auth.users set raw_user_meta_data = ${merged} where id = $1`, [
    userId,
    JSON.stringify(dataOf(config, person)),
  ]);
}
