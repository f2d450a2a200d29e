import * as v from "valibot";
import { AuthError } from "../../auth-error.ts";
import { requesterOf, takeMail, takeText } from "../../limits/account-limits.ts";
import { type CodeChallenge, readChallenge } from "../../one-time-codes/flow-state.ts";
import { requireSms } from "../../one-time-codes/text-code.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { text } from "../../requests/read-body.ts";
import { readRedirect } from "../../requests/redirect.ts";
import type { AuthService } from "../../service/auth-service.ts";
import { readEmail } from "../../users/address.ts";
import { allowUser } from "../../users/allow-user.ts";
import { createUser } from "../../users/create-user.ts";
import { replaceUnconfirmedMetadata } from "../../users/metadata.ts";
import { findUser, isBanned, type UserRow } from "../../users/user-row.ts";

/** Body of a request for a mail. */
export const MailFields = v.object({ email: text, code_challenge: text, code_challenge_method: text });

/** The response is the same whether or not the address has an account. */
export const SENT: Reply = { status: 200, body: {} };

type Target = { address: string; redirectTo: string; challenge: CodeChallenge | null };

/**
 * The mail's recipient and the target of its link. Counts toward the limit whether or not there is an account, so that
 * the limit reveals nothing. `address` is what names the account, if not the email address.
 */
export async function mayMail(
  call: Call,
  { config, limits }: AuthService,
  { email, code_challenge, code_challenge_method }: v.InferOutput<typeof MailFields>,
  address = readEmail(email, config.emailFault),
): Promise<Target> {
  const challenge = readChallenge(code_challenge, code_challenge_method);
  const redirectTo = readRedirect(call, config);
  await limits.take("send", call.client.network);
  await takeMail(limits, await requesterOf(limits, address, call.client.network));
  return { address, redirectTo, challenge };
}

/** Same as `mayMail` for a text message. */
export async function mayText({ client }: Call, service: AuthService, address: string): Promise<void> {
  const { limits } = service;
  requireSms(service, address);
  await limits.take("send", client.network);
  await takeText(limits, await requesterOf(limits, address, client.network));
}

/** The account of an address or number, unless it is banned. */
export async function findRecipient(
  { database }: AuthService,
  by: "email" | "phone",
  address: string,
): Promise<UserRow | null> {
  const user = await findUser(database.query, by, address);
  return user && !isBanned(user) ? user : null;
}

/** Same as `findRecipient`, but creates a missing account if `createsUser`. */
export async function findOrCreate(
  { client }: Call,
  service: AuthService,
  [by, address]: [by: "email" | "phone", address: string],
  { data, createsUser }: { data: Record<string, unknown>; createsUser: boolean },
): Promise<UserRow | null> {
  const { database, config } = service;
  const known = await findUser(database.query, by, address);
  if (known) return isBanned(known) ? null : replaceUnconfirmedMetadata(database.query, known, data);
  if (!createsUser) return null;
  // The response must be the same for all addresses: if the hook refuses, there is simply no account.
  const allowed = await allowUser(service, { [by]: address, userMetadata: data }, client).catch((cause) => {
    if (cause instanceof AuthError) return null;
    throw cause;
  });
  return allowed && createUser(database.run, allowed, config);
}
