import { afterAll, beforeAll, expect, test } from "vitest";
import { type AuthTestServer, openAuth, PASSWORD } from "#tests/helpers/auth/auth-server.ts";
import { defaultAuthConfig } from "./service/auth-config.ts";

let testServer: AuthTestServer;
let token: string;

beforeAll(async () => {
  const often = { points: 10_000, seconds: 60 };
  const limits = Object.fromEntries(Object.keys(defaultAuthConfig.limits).map((name) => [name, often]));
  testServer = await openAuth({ limits: limits as typeof defaultAuthConfig.limits, passkeysEnabled: true });
  const { data } = await testServer.visitor().auth.signUp({ email: "odd@example.org", password: PASSWORD });
  token = data.session?.access_token ?? "";
});
afterAll(() => testServer.close());

test("at the root, a path that begins like a host is not found", async () => {
  const own = await openAuth({ basePath: "" });
  for (const path of ["//[", "//a:b/health", "//elsewhere/health"]) {
    const request = new Request(`http://backend.test${path}`, { headers: { apikey: own.anonKey } });
    const response = await own.fetch(request);
    expect([path, response.status]).toEqual([path, 404]);
    expect(await response.json()).toMatchObject({ error_code: "not_found" });
  }
  await own.close();
});

const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

/** Odd values for members that should be a string or an object. */
const ODD = [
  "null",
  "true",
  "-1e999",
  "[]",
  "{}",
  '["a@example.org"]',
  '{"$ne":null}',
  '{"__proto__":{"role":"service_role"}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '"\\ud800"',
  '{"\\udfff":"\\ud800"}',
  '"\\u0000"',
  '"\'; drop table auth.users; --"',
  `"${"a".repeat(100_000)}"`,
  nested(2_000),
  nested(100_000),
];

const ENDPOINTS: [method: string, path: string, members: string[]][] = [
  ["POST", "/signup", ["email", "phone", "password", "data", "code_challenge", "gotrue_meta_security"]],
  ["POST", "/token?grant_type=password", ["email", "phone", "password"]],
  ["POST", "/token?grant_type=refresh_token", ["refresh_token"]],
  ["POST", "/token?grant_type=pkce", ["auth_code", "code_verifier"]],
  ["POST", "/otp", ["email", "phone", "create_user", "data"]],
  ["POST", "/verify", ["type", "token", "token_hash", "email", "phone"]],
  ["POST", "/recover", ["email", "code_challenge"]],
  ["POST", "/resend", ["type", "email"]],
  ["PUT", "/user", ["email", "phone", "password", "nonce", "data", "app_metadata"]],
  ["POST", "/factors", ["factor_type", "friendly_name", "issuer", "phone"]],
  ["POST", "/passkeys/authentication/verify", ["challenge_id", "credential"]],
];

const USUAL: Record<string, string> = {
  email: '"somebody@example.org"',
  password: JSON.stringify(PASSWORD),
  type: '"email"',
  token: '"123456"',
  factor_type: '"totp"',
  challenge_id: '"00000000-0000-4000-8000-000000000000"',
  auth_code: '"00000000-0000-4000-8000-000000000000"',
  code_verifier: '"x"',
};

test.each(ENDPOINTS)(
  "%s %s accepts or refuses odd members, and never fails because of them",
  async (method, path, members) => {
    for (const member of members) {
      for (const odd of ODD) {
        const others = members.filter((name) => name !== member && USUAL[name] && name !== "phone");
        const body = `{${[`"${member}":${odd}`, ...others.map((name) => `"${name}":${USUAL[name]}`)]}}`;
        const { status } = await testServer.request(method, path, { body, token });
        expect([member, odd.slice(0, 40), status < 500 ? "answered" : status]).toEqual([
          member,
          odd.slice(0, 40),
          "answered",
        ]);
      }
    }
    expect(testServer.logged.splice(0)).toEqual([]);
  },
);

test.each(ENDPOINTS)("%s %s with an empty body or a list is refused", async (method, path) => {
  for (const body of [undefined, "", "[]"]) {
    const answer = await testServer.request(method, path, { body, token });
    expect(answer).toMatchObject({ status: 400, body: { error_code: "bad_json" } });
  }
});

test.each([
  ["nothing", ""],
  ["null", "null"],
  ["a list", "[]"],
  ["a text", '"text"'],
  ["half an object", "{"],
  ["NUL", "\u0000"],
  ["deep", nested(100_000)],
])("a body that is %s is refused", async (_, body) => {
  const { status } = await testServer.request("POST", "/token?grant_type=password", { body });
  expect(status).toBe(400);
});

test("a body of more than a megabyte is refused", async () => {
  const body = `{"email":"${"a".repeat(2 ** 20 + 1)}"}`;
  const answer = await testServer.request("POST", "/signup", { body });
  expect(answer).toMatchObject({ status: 413, body: { error_code: "request_entity_too_large" } });
});
