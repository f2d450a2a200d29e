import { randomUUID } from "node:crypto";
import type { Run, Step } from "#backend/postgres/database.ts";
import { type Act, asPerson, type Change, type Named, recorded } from "../audit/recorded.ts";
import type { Client, Reply } from "../requests/call.ts";
import type { AuthService } from "../service/auth-service.ts";
import { type UserRow, userById } from "../users/user-row.ts";
import { isNewDevice, rememberDevice } from "./known-device.ts";
import { replySession } from "./session-answer.ts";
import { type SessionRow, sessionById } from "./session-row.ts";

/** RFC 8176 authentication methods, by the hosted service's names. */
export type AuthenticationMethod =
  | "password"
  | "otp"
  | "totp"
  | "invite"
  | "passkey"
  | "recovery"
  | "anonymous"
  | "web3"
  | "sso/saml"
  | "oauth";

const change: Change = {
  steps: {
    session: `
      insert into auth.sessions (id, user_id, created_at, updated_at, aal, user_agent, ip, refresh_token_counter)
      values ($1, $2, now(), now(), 'aal1', $3, $4, 0)`,
    claim: `
      insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
      values ($5, $1, now(), now(), $6)`,
    identity:
      "update auth.identities set last_sign_in_at = now(), updated_at = now() where user_id = $2 and provider = $7",
  },
  text: "update auth.users set last_sign_in_at = now(), updated_at = now() where id = $2",
};

/** Starts a session; also resolves with the current user row, read after the steps `also`. */
export async function startSession(
  run: Run,
  user: Named,
  method: AuthenticationMethod,
  client: Client,
  also: Step[] = [],
  provider: string = method === "anonymous" ? method : user.email ? "email" : "phone",
): Promise<{ user: UserRow; session: SessionRow; isNewDevice: boolean }> {
  const id = randomUUID();
  const parameters = [id, user.id, client.userAgent, client.address, randomUUID(), method, provider];
  const act: Act = { action: "login", actor: asPerson(user, client), traits: { provider } };
  const [text, values] = recorded(act, change, parameters);
  const device = rememberDevice(user.id, client.device);
  const rows = await run([{ text, values }, ...device, ...also, sessionById(id), userById(user.id)]);
  const [[session], [found]] = rows.slice(-2) as [[SessionRow], [UserRow]];
  return { user: found, session, isNewDevice: device.length > 0 && isNewDevice(rows[1]) };
}

/** Starts a session for an authenticated user, in one transaction with the steps `also`, and signs its tokens. */
export async function signIn(
  service: AuthService,
  user: Named,
  method: AuthenticationMethod,
  client: Client,
  also: Step[] = [],
): Promise<Reply> {
  return replySession(service, await startSession(service.database.run, user, method, client, also));
}
