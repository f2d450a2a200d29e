import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AuthTestServer, openAuth } from "#tests/helpers/auth/auth-server.ts";
import {
  CALLBACK,
  isAlive,
  joinPerson,
  letIn,
  registerApplication,
} from "#tests/helpers/oauth/applications.ts";

let testServer: AuthTestServer;
let oauth: AuthTestServer["server"]["auth"]["admin"]["oauth"];

beforeAll(async () => {
  testServer = await openAuth({ oauthServer: true, oauthRegistration: true });
  oauth = testServer.server.auth.admin.oauth;
});
afterAll(() => testServer.close());

test("the official client creates, reads, changes and deletes an application", async () => {
  const made = await oauth.createClient({
    client_name: "Trade Helper 👩‍🌾❤️",
    client_uri: "https://trades.test",
    redirect_uris: [CALLBACK, "http://localhost:8123/cb"],
  });
  const id = made.data?.client_id ?? "";
  const known = {
    client_id: id,
    client_name: "Trade Helper 👩‍🌾❤️",
    client_uri: "https://trades.test",
    client_type: "confidential",
    token_endpoint_auth_method: "client_secret_basic",
    registration_type: "manual",
    redirect_uris: [CALLBACK, "http://localhost:8123/cb"],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
  };
  expect(made.data).toMatchObject({ ...known, client_secret: expect.stringMatching(/^[\w-]{43}$/) });
  const read = await oauth.getClient(id);
  expect(read.data).toMatchObject(known);
  expect(read.data).not.toHaveProperty("client_secret");

  const changed = await oauth.updateClient(id, {
    client_name: "Helper",
    logo_uri: "https://trades.test/logo.png",
    redirect_uris: [CALLBACK],
    grant_types: ["authorization_code"],
    token_endpoint_auth_method: "client_secret_post",
  });
  expect(changed.data).toMatchObject({
    client_name: "Helper",
    client_uri: "https://trades.test",
    logo_uri: "https://trades.test/logo.png",
    redirect_uris: [CALLBACK],
    grant_types: ["authorization_code"],
    token_endpoint_auth_method: "client_secret_post",
  });
  expect((await oauth.updateClient(id, {})).error?.message).toBe("No fields provided for update");

  expect(await oauth.deleteClient(id)).toEqual({ data: null, error: null });
  expect((await oauth.getClient(id)).error).toMatchObject({ status: 404, code: "oauth_client_not_found" });
});

test("applications are listed by page, newest first, with the total", async () => {
  for (const name of ["a", "b", "c"]) await registerApplication(testServer, { client_name: name });
  const { data } = await oauth.listClients({ page: 1, perPage: 2 });
  expect(data.clients.map(({ client_name }) => client_name)).toEqual(["c", "b"]);
  expect(data).toMatchObject({ aud: "authenticated", nextPage: 2, total: expect.any(Number) });
});

test("a public application has no secret, and none can be generated for it", async () => {
  const { data } = await oauth.createClient({
    client_name: "App",
    redirect_uris: [CALLBACK],
    token_endpoint_auth_method: "none",
  });
  expect(data).toMatchObject({ client_type: "public", token_endpoint_auth_method: "none" });
  expect(data).not.toHaveProperty("client_secret");
  const { error } = await oauth.regenerateClientSecret(data?.client_id ?? "");
  expect(error?.message).toBe("Cannot regenerate secret for public client");
});

test("only the hash of a secret is stored", async () => {
  const { id, secret } = await registerApplication(testServer);
  const [row] = await testServer.query("select * from auth.oauth_clients where id = $1", [id]);
  expect(JSON.stringify(row)).not.toContain(secret);
});

test("a deleted application can no longer act for anyone", async () => {
  const application = await registerApplication(testServer);
  const { browser } = await joinPerson(testServer);
  const tokens = await letIn(testServer, application, browser);
  await oauth.deleteClient(application.id);
  expect(await isAlive(testServer, tokens)).toBe(false);
  expect((await browser.auth.oauth.listGrants()).data).toEqual([]);
});

describe("callers without the secret key", () => {
  test.each([
    ["GET", "/admin/oauth/clients"],
    ["POST", "/admin/oauth/clients"],
    ["GET", `/admin/oauth/clients/${randomUUID()}`],
    ["PUT", `/admin/oauth/clients/${randomUUID()}`],
    ["DELETE", `/admin/oauth/clients/${randomUUID()}`],
    ["POST", `/admin/oauth/clients/${randomUUID()}/regenerate_secret`],
  ])("is refused: %s %s", async (method, path) => {
    const { token } = await joinPerson(testServer);
    expect(await testServer.request(method, path, { token })).toMatchObject({
      status: 403,
      body: { error_code: "not_admin" },
    });
  });
});

test.each([
  [{ redirect_uris: [] }, "redirect_uris cannot be empty"],
  [{ redirect_uris: Array.from({ length: 11 }, (_, i) => `${CALLBACK}${i}`) }, "cannot exceed 10"],
  [{ redirect_uris: ["http://trades.test/cb"] }, "HTTP scheme only allowed for localhost"],
  [{ redirect_uris: ["javascript://trades.test/%0aalert(1)"] }, "is not allowed for security reasons"],
  [{ redirect_uris: ["JavaScript://trades.test/%0aalert(1)"] }, "is not allowed for security reasons"],
  [{ redirect_uris: ["https://a.test/,https://b.test/"] }, "percent-encoded"],
  [{ redirect_uris: ["https://user@a.test/"] }, "must not name a user"],
  [{ redirect_uris: ["https://a.test/#x"] }, "fragment"],
  [{ redirect_uris: ["/callback"] }, "must have scheme and host"],
  [{ client_uri: "javascript:alert(1)" }, "client_uri must be a valid URL"],
  [{ client_name: `Safe\u202Eexe` }, "unseen characters"],
  [{ client_name: "\u200b\u2060\u3164" }, "unseen characters"],
  [{ client_name: "Fru\u00adit\u{e0041} 👩‍🌾" }, "unseen characters"],
  [{ client_name: "x".repeat(1025) }, "cannot exceed 1024"],
  [{ grant_types: ["password"] }, "grant_types must only contain"],
  [{ token_endpoint_auth_method: "none", client_type: "confidential" }, "is not valid for client_type"],
])("an application is not registered with %j", async (wish, message) => {
  const answer = await testServer.request("POST", "/oauth/clients/register", {
    body: { client_name: "App", redirect_uris: [CALLBACK], ...wish },
  });
  expect([answer.status, answer.body.error_code]).toEqual([400, "validation_failed"]);
  expect(answer.body.error_description).toContain(message);
});

describe("dynamic registration of applications", () => {
  const register = (server: AuthTestServer) =>
    server.request("POST", "/oauth/clients/register", {
      body: { client_name: "App", redirect_uris: ["myapp://cb"] },
      headers: { apikey: "" },
    });

  test("is refused unless the operator allows it", async () => {
    const closed = await openAuth({ oauthServer: true });
    expect(await register(closed)).toMatchObject({
      status: 403,
      body: { error_code: "oauth_dynamic_client_registration_disabled" },
    });
    await closed.close();
  });

  test("is limited per network, and applications that nobody authorizes are deleted", async () => {
    const open = await openAuth({
      oauthServer: true,
      oauthRegistration: true,
      addressHeader: "x-real-ip",
    });
    const from = (address: string) =>
      open.request("POST", "/oauth/clients/register", {
        body: { client_name: "App", redirect_uris: ["myapp://cb"] },
        headers: { "x-real-ip": address },
      });
    const statuses = [];
    for (let i = 0; i < 11; i++) statuses.push((await from("192.0.2.7")).status);
    expect(statuses).toEqual([...Array(10).fill(201), 429]);
    expect((await from("192.0.2.200")).status).toBe(201);
    await open.close();
  });
});

test("if the OAuth server is disabled, every endpoint responds as in the hosted service", async () => {
  const off = await openAuth();
  for (const [method, path] of [
    ["GET", "/admin/oauth/clients"],
    ["GET", "/oauth/authorize"],
    ["POST", "/oauth/token"],
    ["GET", "/user/oauth/grants"],
    ["GET", "/.well-known/oauth-authorization-server"],
  ] as const) {
    expect(await off.request(method, path)).toMatchObject({
      status: 404,
      body: { error_code: "feature_disabled", msg: "OAuth server is disabled" },
    });
  }
  await off.close();
});
