import { validationFailed } from "../auth-error.ts";
import type { AuthService } from "../auth-service.ts";
import type { Call, Endpoint, Reply } from "../requests/call.ts";
import { switchedOff } from "./switched-off.ts";
import { refuseIdToken } from "./token-id.ts";
import { signInWithPassword } from "./token-password.ts";
import { exchangeForSession } from "./token-pkce.ts";
import { refresh } from "./token-refresh.ts";

const grants: Record<string, Endpoint> = {
  password: signInWithPassword,
  refresh_token: refresh,
  pkce: exchangeForSession,
  id_token: refuseIdToken,
  web3: switchedOff.web3,
};

/** POST /token: a session for whatever `grant_type` says proves a person. */
export async function issueToken(call: Call, service: AuthService): Promise<Reply> {
  const type = call.query.get("grant_type") ?? "";
  const grant = Object.hasOwn(grants, type) ? grants[type] : undefined;
  if (!grant) throw validationFailed("unsupported_grant_type");
  const reply = await grant(call, service);
  return { ...reply, headers: { "cache-control": "no-store", pragma: "no-cache" } };
}
