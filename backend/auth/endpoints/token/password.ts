import * as v from "valibot";
import { AuthError, validationFailed } from "../../auth-error.ts";
import { REJECT } from "../../hooks/hook-table.ts";
import { knownNetwork } from "../../limits/account-limits.ts";
import { findWeakness } from "../../passwords/password-policy.ts";
import type { Call, Client, Reply } from "../../requests/call.ts";
import { readBody, text } from "../../requests/read-body.ts";
import { recordFailure } from "../../requests/record-failure.ts";
import type { AuthService } from "../../service/auth-service.ts";
import { signIn } from "../../sessions/start-session.ts";
import { isBanned, type LoginRow, loginBy } from "../../users/user-row.ts";

const Body = v.object({ email: text, phone: text, password: text });

type By = "email" | "phone";

/** POST /token?grant_type=password */
export async function signInWithPassword(call: Call, service: AuthService): Promise<Reply> {
  try {
    return await checkPassword(call, service);
  } catch (cause) {
    const failed = cause instanceof AuthError && FAILURES.has(cause.code);
    if (failed) service.failures.note(call.client.network);
    throw cause;
  }
}

const FAILURES: ReadonlySet<string> = new Set(["invalid_credentials", "over_request_rate_limit"]);

/** An unknown address and a wrong password take the same path to the same response. */
async function checkPassword(call: Call, service: AuthService): Promise<Reply> {
  const { limits, passwords, own } = service;
  const { by, address, password } = readCredentials(call, service);
  const known = knownNetwork(address, call.client.network);
  const ofAccount = [
    { action: "accountSignInFromAddress", key: known.key },
    // Strangers can exhaust this limit, but not for the user on a network they have signed in from before.
    { action: "accountSignIn", key: address, unless: known },
  ] as const;
  const tries = [{ action: "signIn", key: call.client.network } as const, ...ofAccount];
  const steps = [loginBy(by, address), own.passwordKinds];
  const [[found] = [], rows = []] = await limits.takeAll(tries, steps);
  const kinds = rows.map(({ kind }) => kind as string);
  const { matches, outdated } = await passwords.verify(password, found?.encrypted_password ?? null, kinds);
  await askHook(service, found as LoginRow | undefined, matches, call.client);
  if (!found || !matches) {
    recordFailure(service, async () => found as LoginRow | undefined, { client: call.client, by });
    throw new AuthError(400, "invalid_credentials", "Invalid login credentials");
  }
  const user = found as LoginRow;
  refuseUnready(user, by);
  if (outdated) await replaceHash(service, user, password);
  const settled = limits.afterSuccess(known, ofAccount);
  const [reply, weak_password] = await Promise.all([
    signIn(service, user, "password", call.client, [settled]),
    findWeakness(password, service),
  ]);
  return weak_password ? { ...reply, body: { ...(reply.body as object), weak_password } } : reply;
}

/** Reports each attempt to the operator's hook, which may refuse even a correct password. */
async function askHook(
  { hooks, database }: AuthService,
  user: LoginRow | undefined,
  valid: boolean,
  { address }: Client,
): Promise<void> {
  if (!user) return hooks.pretend("passwordAttempt");
  const answer = await hooks.run("passwordAttempt", { user_id: user.id, valid }, address);
  if (answer?.decision !== REJECT) return;
  if (answer.should_logout_user) {
    await database.query("delete from auth.sessions where user_id = $1", [user.id]);
  }
  const message = answer.message || "Further password verification attempts will be rejected.";
  throw new AuthError(400, "invalid_credentials", message);
}

function readCredentials(call: Call, { config }: AuthService): { by: By; address: string; password: string } {
  const { email, phone, password } = readBody(call.request, Body);
  if (email !== "" && phone !== "") {
    throw validationFailed("Only an email address or phone number should be provided on login.");
  }
  if (email === "" && phone === "") throw validationFailed("missing email or phone");
  if (email !== "") {
    if (!config.emailEnabled)
      throw new AuthError(422, "email_provider_disabled", "Email logins are disabled");
    return { by: "email", address: email.trim().toLowerCase(), password };
  }
  if (!config.phoneEnabled) throw new AuthError(422, "phone_provider_disabled", "Phone logins are disabled");
  return { by: "phone", address: phone.replaceAll(" ", "").replace(/^\+/, ""), password };
}

/** These errors are revealed only after the correct password. */
function refuseUnready(user: LoginRow, by: By): void {
  if (isBanned(user)) throw new AuthError(400, "user_banned", "User is banned");
  if (by === "email" && user.email_confirmed_at == null) {
    throw new AuthError(400, "email_not_confirmed", "Email not confirmed");
  }
  if (by === "phone" && user.phone_confirmed_at == null) {
    throw new AuthError(400, "phone_not_confirmed", "Phone not confirmed");
  }
}

async function replaceHash(
  { passwords, database }: AuthService,
  user: LoginRow,
  password: string,
): Promise<void> {
  await database.query(
    "update auth.users set encrypted_password = $3 where id = $1 and encrypted_password = $2",
    [user.id, user.encrypted_password ?? null, await passwords.hash(password)],
  );
}
