import { routes } from "#backend/auth/endpoints/routes.ts";
import type { Chance } from "#tests/helpers/chance.ts";
import type { FuzzRequest, Who } from "../fuzz-request.ts";
import { mutateRequest } from "../mutate.ts";
import { oddJson, oddText } from "../odd-values.ts";

const ENDPOINTS = Object.keys(routes);
/**
 * Different users than for the other services: requests here sign them out, which would leave the others only refusals.
 */
const WHO: Who[] = ["visitor", "visitor", "Cal", "Cal", "Cal", "server", "nobody"];
const ADDRESS = "fuzz-{{number}}@example.org";
const HASH = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4";
const CREDENTIAL = {
  id: "AQID",
  rawId: "AQID",
  type: "public-key",
  clientExtensionResults: {},
  response: {
    clientDataJSON:
      "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiQVFJRCIsIm9yaWdpbiI6Imh0dHA6Ly9sb2NhbGhvc3QifQ",
    attestationObject: "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVgA",
    authenticatorData: "SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAA",
    signature: "MEUCIQ",
    userHandle: "AQID",
  },
};

/** Values for each field that the endpoints read; a request uses some of them. */
const FIELDS: Record<string, readonly unknown[]> = {
  email: [ADDRESS, "cal@example.org", "nobody@example.org"],
  password: ["short", "Wrong horse 7 battery!"],
  phone: ["+491701234567", "491701234567"],
  data: [{ username: "x" }, {}],
  user_metadata: [{ a: 1 }],
  app_metadata: [{ provider: "email" }],
  type: ["signup", "magiclink", "recovery", "email_change", "sms", "email", "invite", "phone_change"],
  token: ["123456", HASH, "000000"],
  token_hash: [HASH, `pkce_${HASH}`],
  code_challenge: ["E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"],
  code_challenge_method: ["s256", "plain"],
  refresh_token: ["{{Cal.refresh}}", "v1.abc"],
  auth_code: ["a0000000-0000-4000-8000-00000000000a"],
  code_verifier: ["dBjFtJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"],
  id_token: ["eyJhbGciOiJSUzI1NiIsImtpZCI6IngifQ.eyJpc3MiOiJodHRwczovL2FjY291bnRzLmdvb2dsZS5jb20ifQ.AAAA"],
  provider: ["google", "discord", "github", "apple", "custom:x"],
  nonce: ["abc"],
  current_password: ["Wrong horse 7 battery!"],
  factor_type: ["totp", "phone", "webauthn"],
  friendly_name: ["my phone"],
  issuer: ["https://example.org"],
  challenge_id: ["a0000000-0000-4000-8000-00000000000a"],
  code: ["123456", "abcd-efgh"],
  channel: ["sms", "whatsapp"],
  create_user: [true, false],
  gotrue_meta_security: [{ captcha_token: "x" }],
  redirect_to: ["http://localhost:3000/account", "https://example.org"],
  credential: [CREDENTIAL],
  webauthn: [
    { type: "create", rp_id: "localhost", rp_origins: ["http://localhost"], credential_response: CREDENTIAL },
  ],
  passkey: [CREDENTIAL],
  name: ["x"],
  domain: ["example.org"],
  provider_id: ["a0000000-0000-4000-8000-00000000000a"],
  metadata_xml: ['<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="x"/>'],
  SAMLResponse: ["PHNhbWxwOlJlc3BvbnNlLz4="],
  RelayState: ["a0000000-0000-4000-8000-00000000000a"],
  chain: ["ethereum", "solana"],
  message: [
    "localhost wants you to sign in with your Ethereum account:\n0x0000000000000000000000000000000000000000\n\nURI: http://localhost\nVersion: 1\nChain ID: 1\nNonce: abcdefgh\nIssued At: 2026-11-22T04:00:00Z",
  ],
  signature: [`0x${"ab".repeat(65)}`],
  ban_duration: ["24h", "none"],
  role: ["authenticated"],
  redirect_uris: [["https://example.org/callback"]],
  client_name: ["x"],
  client_id: ["a0000000-0000-4000-8000-00000000000a"],
  client_secret: ["x"],
  grant_type: ["password", "refresh_token", "pkce", "id_token", "web3", "authorization_code"],
  action: ["approve", "deny"],
  scope: ["openid email", "global", "local", "others"],
  state: ["x"],
  response_type: ["code"],
  redirect_uri: ["https://example.org/callback"],
  page: ["1"],
  per_page: ["10"],
};
const NAMES = Object.keys(FIELDS);

/** Fields that belong together, by the path that reads them. */
const TOGETHER: Record<string, string[]> = {
  "/signup": ["email", "password", "data"],
  "/token": ["email", "password"],
  "/otp": ["email", "create_user", "data"],
  "/magiclink": ["email"],
  "/recover": ["email", "code_challenge", "code_challenge_method"],
  "/resend": ["type", "email"],
  "/verify": ["type", "token_hash"],
  "/user": ["data", "email"],
  "/factors": ["factor_type", "friendly_name", "issuer"],
  "/factors/{id}/challenge": ["channel", "webauthn"],
  "/factors/{id}/verify": ["challenge_id", "code", "webauthn"],
  "/factors/recovery-codes/verify": ["code"],
  "/passkeys/registration/verify": ["challenge_id", "credential"],
  "/passkeys/authentication/verify": ["challenge_id", "credential"],
  "/admin/users": ["email", "password", "user_metadata", "app_metadata", "ban_duration"],
  "/admin/generate_link": ["type", "email", "redirect_to"],
  "/invite": ["email", "data"],
  "/authorize": ["provider", "redirect_to", "scope", "code_challenge", "code_challenge_method"],
  "/callback": ["code", "state"],
  "/sso": ["domain", "redirect_to"],
  "/sso/saml/acs": ["SAMLResponse", "RelayState"],
  "/admin/sso/providers": ["type", "metadata_xml", "domain"],
  "/logout": ["scope"],
  "/oauth/clients/register": ["client_name", "redirect_uris"],
  "/admin/oauth/clients": ["client_name", "redirect_uris"],
  "/oauth/authorize": [
    "client_id",
    "redirect_uri",
    "response_type",
    "code_challenge",
    "code_challenge_method",
    "state",
  ],
  "/oauth/token": ["grant_type", "code", "client_id", "client_secret", "redirect_uri", "code_verifier"],
};
const IN_THE_QUERY = new Set(["grant_type", "scope", "page", "per_page", "redirect_to"]);
const AS_FORMS = new Set(["/oauth/token", "/sso/saml/acs", "/callback"]);

/** Each endpoint of GoTrue's API with its own fields and fields of others; then mutated. */
export function fuzzAuth(chance: Chance): FuzzRequest {
  const [method = "", pattern = ""] = chance.pick(ENDPOINTS).split(" ");
  const path = pattern.replace(/\{\w+\}/g, () =>
    chance.pick(["{{Cal.id}}", "{{Cal.id}}", "a0000000-0000-4000-8000-00000000000a", "x"]),
  );
  const fields = [...(TOGETHER[pattern] ?? [])];
  while (chance.chance(fields.length === 0 ? 0.8 : 0.15)) fields.push(chance.pick(NAMES));
  const given = Object.fromEntries(fields.map((name) => [name, chance.pick(FIELDS[name] ?? [])]));
  // Hashing a password occupies a core for a while, so most are refused before that.
  if ("password" in given && chance.chance(0.97))
    given.password = chance.pick<unknown>(["short", oddJson(chance, 1), ""]);
  const query: [string, string][] = [];
  if (pattern === "/token")
    query.push([
      "grant_type",
      chance.pick(["password", "refresh_token", "pkce", "id_token", "web3", "password"]),
    ]);
  for (const [name, value] of Object.entries(given))
    if (method === "GET" || (IN_THE_QUERY.has(name) && chance.chance(0.5))) query.push([name, inText(value)]);
  const request: FuzzRequest = { who: chance.pick(WHO), method, path: `/auth/v1${path}`, query, headers: {} };
  if (method !== "GET") addBody(chance, request, given, AS_FORMS.has(pattern));
  if (chance.chance(0.05)) request.headers["x-browser-mark"] = oddText(chance);
  return mutateRequest(chance, request);
}

/** As in a query string; odd values may have no text form. */
const inText = (value: unknown) => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

function addBody(
  chance: Chance,
  request: FuzzRequest,
  given: Record<string, unknown>,
  asForm: boolean,
): void {
  if (asForm === chance.chance(0.9)) {
    const entries = Object.entries(given).map(([name, value]) => [name, String(value)] as [string, string]);
    request.headers["content-type"] = "application/x-www-form-urlencoded";
    request.body = new URLSearchParams(entries).toString();
  } else {
    request.headers["content-type"] = "application/json";
    request.body = JSON.stringify(given);
  }
}
