import { AuthError } from "../../auth-error.ts";
import type { Call, Endpoint, Reply } from "../../requests/call.ts";
import { withCaptcha } from "../../requests/captcha.ts";
import type { AuthService } from "../../service/auth-service.ts";
import { signInWithIdToken } from "./id-token.ts";
import { signInWithPassword } from "./password.ts";
import { exchangeForSession } from "./pkce.ts";
import { refresh } from "./refresh-token.ts";
import { signInWithWallet } from "./web3.ts";

/** Continuing a session needs no captcha, nor does the end of a sign-in that began with one. */
const grants: Record<string, Endpoint> = {
  password: withCaptcha(signInWithPassword),
  refresh_token: refresh,
  pkce: exchangeForSession,
  id_token: withCaptcha(signInWithIdToken),
  web3: withCaptcha(signInWithWallet),
};

/** POST /token: starts or refreshes a session, depending on `grant_type`. */
export async function issueToken(call: Call, service: AuthService): Promise<Reply> {
  const type = call.query.get("grant_type") ?? "";
  const grant = Object.hasOwn(grants, type) ? grants[type] : undefined;
  if (!grant) throw new AuthError(400, "invalid_credentials", "unsupported_grant_type");
  const reply = await grant(call, service);
  return { ...reply, headers: { ...reply.headers, "cache-control": "no-store", pragma: "no-cache" } };
}
