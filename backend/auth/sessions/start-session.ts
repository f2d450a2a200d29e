import { randomUUID } from "node:crypto";
import type { Run, Step } from "#backend/postgres/database.ts";
import { type Act, asPerson, type Named, recorded } from "../audit/recorded.ts";
import type { Client } from "../requests/call.ts";
import { type UserRow, userById } from "../users/user-row.ts";
import { type SessionRow, sessionById } from "./session-row.ts";

/** RFC 8176 in the hosted service's words. */
export type AuthenticationMethod = "password" | "otp" | "totp" | "invite" | "passkey";

const insert = `
  with session as (
    insert into auth.sessions (id, user_id, created_at, updated_at, aal, user_agent, ip, refresh_token_counter)
    values ($1, $2, now(), now(), 'aal1', $3, $4, 0)
  ), claim as (
    insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
    values ($5, $1, now(), now(), $6)
  ), identity as (
    update auth.identities set last_sign_in_at = now(), updated_at = now() where user_id = $2 and provider = $7
  )
  update auth.users set last_sign_in_at = now(), updated_at = now() where id = $2`;

/** A person has proved who they are: gives them a session, and their row as it is now, after what is `also` to be done. */
export async function startSession(
  run: Run,
  user: Named,
  method: AuthenticationMethod,
  client: Client,
  also: Step[] = [],
): Promise<{ user: UserRow; session: SessionRow }> {
  const id = randomUUID();
  const provider = user.email ? "email" : "phone";
  const parameters = [id, user.id, client.userAgent, client.address, randomUUID(), method, provider];
  const act: Act = { action: "login", actor: asPerson(user, client), traits: { provider } };
  const [text, values] = recorded(act, insert, parameters);
  const rows = await run([{ text, values }, ...also, sessionById(id), userById(user.id)]);
  const [[session], [found]] = rows.slice(-2) as [[SessionRow], [UserRow]];
  return { user: found, session };
}
