import * as v from "valibot";
import { AuthError, validationFailed } from "../../auth-error.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { readBody, text } from "../../requests/read-body.ts";

const Body = v.object({ id_token: text, provider: text, client_id: text, issuer: text });

/** Whose ID tokens the hosted service knows, by the issuer that is in its answer; "" where the operator would name it. */
const ISSUERS: Record<string, string> = {
  apple: "https://appleid.apple.com",
  azure: "",
  facebook: "https://www.facebook.com",
  google: "https://accounts.google.com",
  kakao: "https://kauth.kakao.com",
  keycloak: "",
};

/** POST /token?grant_type=id_token: all of them are switched off. */
export async function refuseIdToken({ request }: Call): Promise<Reply> {
  const { id_token: token, provider, client_id: client, issuer } = readBody(request, Body);
  if (token === "") return invalidRequest("id_token required");
  if (provider === "" && (client === "" || issuer === "")) {
    return invalidRequest("provider or client_id and issuer required");
  }
  const known = Object.keys(ISSUERS).find(
    (name) => name === provider || (issuer && ISSUERS[name] === issuer),
  );
  if (!known) throw validationFailed(`Custom OIDC provider "${provider.slice(0, 50)}" not allowed`);
  const named = ISSUERS[known] || issuer.slice(0, 100);
  throw new AuthError(400, "provider_disabled", `Provider (issuer "${named}") is not enabled`);
}

/** In the shape of OAuth (RFC 6749 §5.2), in which this grant alone refuses. */
function invalidRequest(description: string): Reply {
  return { status: 400, body: { error: "invalid request", error_description: description } };
}
