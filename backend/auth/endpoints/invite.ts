import * as v from "valibot";
import { mailCode, requireMail } from "../one-time-codes/mail-code.ts";
import type { Reply } from "../requests/call.ts";
import { readBody, text } from "../requests/read-body.ts";
import { readRedirect } from "../requests/redirect.ts";
import type { AdminCall } from "../requests/require-admin.ts";
import type { AuthService } from "../service/auth-service.ts";
import { readEmail } from "../users/address.ts";
import { allowUser } from "../users/allow-user.ts";
import { createUser } from "../users/create-user.ts";
import { metadata, replaceUnconfirmedMetadata } from "../users/metadata.ts";
import { emailExists } from "../users/taken-address.ts";
import { toUserJson } from "../users/user-json.ts";
import { findUser, isConfirmed, type UserRow } from "../users/user-row.ts";

const Body = v.object({ email: text, data: metadata });

/** POST /invite: creates an account without a password, and mails a link to it. */
export async function invite(call: AdminCall, service: AuthService): Promise<Reply> {
  const { email, data } = readBody(call.request, Body);
  requireMail(service);
  const { database, config } = service;
  const address = readEmail(email);
  const known = await findUser(database.query, "email", address);
  if (known && isConfirmed(known)) throw emailExists();
  const user = known
    ? await replaceUnconfirmedMetadata(database.query, known, data ?? {}, { byOperator: true })
    : await createUser(
        database.run,
        await allowUser(service, { email: address, userMetadata: data ?? {}, invited: true }, call.client),
        config,
      );
  if (!user) throw emailExists();
  const redirectTo = readRedirect(call, config);
  await mailCode(service, { user, actor: call.operator, kind: "invite", address, redirectTo });
  const now = (await findUser(database.query, "id", user.id)) as UserRow;
  return { status: 200, body: toUserJson(now) };
}
