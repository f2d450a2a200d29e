import * as v from "valibot";
import { AuthError, validationFailed } from "../auth-error.ts";
import type { AuthService } from "../auth-service.ts";
import type { Call, Reply } from "../requests/call.ts";
import { readBody, text } from "../requests/read-body.ts";
import { signIn } from "../sessions/sign-in.ts";
import { isBanned, type LoginRow, loginBy } from "../users/user-row.ts";

const Body = v.object({ email: text, phone: text, password: text });

type By = "email" | "phone";

/** POST /token?grant_type=password. An unknown address and a wrong password take the same way to the same answer. */
export async function signInWithPassword(call: Call, service: AuthService): Promise<Reply> {
  const { limits, passwords } = service;
  const { by, address, password } = readCredentials(call, service);
  const fromAddress = `${address} ${call.client.network ?? ""}`;
  const known = { action: "accountKnownNetwork", key: fromAddress } as const;
  const ofAccount = [
    { action: "accountSignInFromAddress", key: fromAddress },
    // Strangers may use these up, from however many networks: not for the person, from where they sign in.
    { action: "accountSignIn", key: address, unless: known },
  ] as const;
  const tries = [{ action: "signIn", key: call.client.network } as const, ...ofAccount];
  const [[found] = []] = await limits.takeAll(tries, [loginBy(by, address)]);
  const { matches, outdated } = await passwords.verify(password, found?.encrypted_password ?? null);
  if (!found || !matches) throw new AuthError(400, "invalid_credentials", "Invalid login credentials");
  const user = found as LoginRow;
  refuseUnready(user, by);
  if (outdated) await replaceHash(service, user, password);
  const settled = limits.afterSuccess(known, ofAccount);
  return { status: 200, body: await signIn(service, user, "password", call.client, [settled]) };
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

/** Only who knows the password gets to know these. */
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
