import * as v from "valibot";
import type { AuthService } from "../auth-service.ts";
import { mailCode } from "../one-time-tokens/mail-code.ts";
import { requireAdmin } from "../requests/authenticate.ts";
import type { Call, Reply } from "../requests/call.ts";
import { json, readBody, text } from "../requests/read-body.ts";
import { readRedirect } from "../requests/redirect.ts";
import { readEmail } from "../users/address.ts";
import { emailExists } from "../users/change-email.ts";
import { createUser } from "../users/create-user.ts";
import { toUserJson } from "../users/user-json.ts";
import { findUser, isConfirmed, type UserRow } from "../users/user-row.ts";

const Body = v.object({ email: text, data: json });

/** POST /invite: an account without a password, and a mail with a link into it. */
export async function invite(call: Call, service: AuthService): Promise<Reply> {
  const operator = await requireAdmin(call, service);
  const { email, data } = readBody(call.request, Body);
  const { database, config } = service;
  const address = readEmail(email);
  const known = await findUser(database.query, "email", address);
  if (known && isConfirmed(known)) throw emailExists();
  const user =
    known ?? (await createUser(database.run, { email: address, userMetadata: data ?? {}, invited: true }));
  if (!user) throw emailExists();
  const redirectTo = readRedirect(call, config);
  await mailCode(service, {
    user,
    actor: operator,
    kind: "invite",
    tokenType: "confirmation_token",
    address,
    redirectTo,
  });
  const now = (await findUser(database.query, "id", user.id)) as UserRow;
  return { status: 200, body: toUserJson(now) };
}
