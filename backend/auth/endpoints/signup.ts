import * as v from "valibot";
import { asPerson } from "../audit/recorded.ts";
import { AuthError, validationFailed } from "../auth-error.ts";
import { takeMail, takeText } from "../limits/account-limits.ts";
import { type CodeChallenge, readChallenge } from "../one-time-codes/flow-state.ts";
import { mailCode } from "../one-time-codes/mail-code.ts";
import { bannedError } from "../one-time-codes/redeem.ts";
import { requireSms, requireSmsChannel, textCode } from "../one-time-codes/text-code.ts";
import { refuseWeak } from "../passwords/password-policy.ts";
import type { Call, Client, Reply } from "../requests/call.ts";
import { readBody, text } from "../requests/read-body.ts";
import { readRedirect } from "../requests/redirect.ts";
import type { AuthConfig } from "../service/auth-config.ts";
import type { AuthService } from "../service/auth-service.ts";
import { requireSignups } from "../service/features.ts";
import { signIn } from "../sessions/start-session.ts";
import { readEmail, readPhone } from "../users/address.ts";
import { allowUser } from "../users/allow-user.ts";
import { type AllowedUser, createUser, type NewUser } from "../users/create-user.ts";
import { metadata, replaceUnconfirmedMetadata } from "../users/metadata.ts";
import { findUser, isBanned, isConfirmed, replaceUnprovedPassword, type UserRow } from "../users/user-row.ts";
import { signUpAnonymously } from "./anonymous.ts";

const Body = v.object({
  email: text,
  phone: text,
  password: text,
  channel: text,
  data: metadata,
  code_challenge: text,
  code_challenge_method: text,
});

type Account = {
  by: "email" | "phone";
  address: string;
  password: string;
  data: Record<string, unknown>;
  challenge: CodeChallenge | null;
};

/** POST /signup: creates an account, and starts a session if accounts need no confirmation. */
export async function signUp(call: Call, service: AuthService): Promise<Reply> {
  const { config, limits, passwords } = service;
  const body = readBody(call.request, Body);
  if (body.email === "" && body.phone === "") return signUpAnonymously(call, service, body.data ?? {});
  const account = readAccount(body, service);
  const key = call.client.network;
  await limits.takeAll([
    { action: "signUp", key },
    { action: "signUpDay", key },
  ]);
  await refuseWeak(account.password, service, [account.address]);
  // Always hashed, so that the timing is the same for a taken address.
  const passwordHash = await passwords.hash(account.password);
  const autoconfirm = account.by === "email" ? config.mailerAutoconfirm : config.smsAutoconfirm;
  return autoconfirm
    ? createConfirmed(call, service, account, passwordHash)
    : requireConfirmation(call, service, account, passwordHash);
}

function readAccount(body: v.InferOutput<typeof Body>, { config }: AuthService): Account {
  requireSignups({ config });
  if (body.password === "") throw validationFailed("Signup requires a valid password");
  if (body.email !== "" && body.phone !== "") {
    throw validationFailed("Only an email address or phone number should be provided on signup.");
  }
  const challenge = readChallenge(body.code_challenge, body.code_challenge_method);
  const rest = { password: body.password, data: body.data ?? {}, challenge };
  if (body.email !== "") {
    if (!config.emailEnabled) {
      throw new AuthError(400, "email_provider_disabled", "Email signups are disabled");
    }
    return { by: "email", address: readEmail(body.email, config.emailFault), ...rest };
  }
  if (!config.phoneEnabled) {
    throw new AuthError(400, "phone_provider_disabled", "Phone signups are disabled");
  }
  requireSmsChannel(body.channel);
  return { by: "phone", address: readPhone(body.phone), ...rest };
}

async function createConfirmed(
  call: Call,
  service: AuthService,
  account: Account,
  passwordHash: string,
): Promise<Reply> {
  const allowed = await allowAccount(service, account, passwordHash, {
    confirmed: true,
    client: call.client,
  });
  const user = await createUser(service.database.run, allowed, service.config);
  if (!user) throw new AuthError(422, "user_already_exists", "User already registered");
  if (isBanned(user)) throw bannedError();
  return signIn(service, user, "password", call.client);
}

/**
 * The response must not reveal whether an address has an account: it contains only what was sent, and the work that
 * differs happens after it. An unconfirmed account is mailed again, and keeps its password if the same one was sent.
 */
async function requireConfirmation(
  call: Call,
  service: AuthService,
  account: Account,
  passwordHash: string,
): Promise<Reply> {
  const { address, by, challenge } = account;
  if (by === "phone") requireSms(service, address);
  const redirectTo = readRedirect(call, service.config);
  // Also checked for a taken address: otherwise a refusal would reveal that it has no account.
  const allowed = await allowAccount(service, account, passwordHash, {
    confirmed: false,
    client: call.client,
  });
  if (by === "phone") await takeText(service.limits, address);
  else await takeMail(service.limits, address);
  const send = async () => {
    const { query } = service.database;
    const known = await findUser(query, by, address);
    const user = known
      ? await replaceUnconfirmedMetadata(query, known, account.data)
      : await createUser(service.database.run, allowed, service.config);
    if (!user || isConfirmed(user)) return false;
    if (known) await dropOtherPassword(service, user, account.password);
    if (by === "phone") return textCode(service, user, { actor: asPerson(user, call.client) });
    const actor = asPerson(user, call.client);
    await mailCode(service, { user, actor, kind: "signup", address, redirectTo, challenge });
    return true;
  };
  if (by === "phone") await service.smsResponses.uniform(send);
  else service.later(async () => void (await send()));
  return { status: 200, body: describeUnconfirmed(allowed.id, account, service.config) };
}

/**
 * Of two sign-ups for one address with different passwords, either may be a stranger's: neither password works, and the
 * mailbox's owner signs in with the mailed link.
 */
async function dropOtherPassword(
  { passwords, database }: AuthService,
  user: UserRow,
  password: string,
): Promise<void> {
  const stored = user.encrypted_password ?? null;
  if (stored === null || (await passwords.verify(password, stored)).matches) return;
  await replaceUnprovedPassword(database.query, user.id, null);
}

function allowAccount(
  service: AuthService,
  { by, address, data }: Account,
  passwordHash: string,
  { confirmed, client }: { confirmed: boolean; client: Client },
): Promise<AllowedUser> {
  const user: NewUser = {
    [by]: address,
    passwordHash,
    userMetadata: data,
    emailConfirmed: confirmed && by === "email",
    phoneConfirmed: confirmed && by === "phone",
    autoconfirmed: confirmed,
    // An unconfirmed account is logged when it is confirmed.
    ...(confirmed && {
      madeBy: (user) => ({
        action: "user_signedup",
        actor: asPerson(user, client),
        traits: { provider: by },
      }),
    }),
  };
  return allowUser(service, user, client);
}

/** The account as returned before it is confirmed. */
function describeUnconfirmed(
  id: string,
  { by, address, data }: Account,
  { audience, defaultRole }: AuthConfig,
): Record<string, unknown> {
  const now = new Date().toISOString();
  return {
    id,
    aud: audience,
    role: defaultRole,
    email: "",
    phone: "",
    [by]: address,
    confirmation_sent_at: now,
    app_metadata: { provider: by, providers: [by] },
    user_metadata: data,
    identities: [],
    created_at: now,
    updated_at: now,
    is_anonymous: false,
  };
}
