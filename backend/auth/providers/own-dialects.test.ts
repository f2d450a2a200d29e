import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  fragmentOf,
  openProviders,
  type ProviderId,
  type ProviderServer,
} from "#tests/helpers/auth/provider-server.ts";
import { listen } from "#tests/helpers/listen.ts";

/** GitHub and Twitch do not support OpenID Connect for applications: each has its own endpoints and user format. */
const ANSWERS: Record<string, unknown> = {
  "/login/oauth/access_token": { access_token: "gh", token_type: "bearer", scope: "read:user,user:email" },
  "/api/v3/user": {
    id: 42,
    login: "octo",
    name: "Real Name",
    avatar_url: "https://example.org/a.png",
    email: null,
  },
  "/api/v3/user/emails": [
    { email: "old@example.org", primary: false, verified: true },
    { email: "octo@example.org", primary: true, verified: true },
  ],
  "/oauth2/token": { access_token: "tw", token_type: "bearer", scope: ["user:read:email"], expires_in: 3600 },
  "/helix/users": {
    data: [{ id: "77", login: "streamer", display_name: "Streamer", email: "tw@example.org" }],
  },
};

const heard: { path: string; headers: IncomingMessage["headers"] }[] = [];
const answering = createServer((request: IncomingMessage, response: ServerResponse) => {
  const url = new URL(request.url ?? "/", "http://provider.test");
  heard.push({ path: url.pathname, headers: request.headers });
  if (url.pathname.endsWith("/authorize")) {
    const back = new URL(url.searchParams.get("redirect_uri") as string);
    back.searchParams.set("code", "once");
    back.searchParams.set("state", url.searchParams.get("state") as string);
    return response.writeHead(302, { location: back.href }).end();
  }
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(ANSWERS[url.pathname]));
});

const { url, close } = await listen(answering);
let testServer: ProviderServer;
beforeAll(async () => {
  const shared = {
    clientIds: ["site"] as [string],
    secret: "s",
    redirectUri: null,
    url,
    skipNonceCheck: false,
  };
  testServer = await openProviders({
    providers: [
      { ...shared, id: "github", name: "GitHub", emailOptional: false },
      { ...shared, id: "twitch", name: "Twitch", emailOptional: false },
    ],
  });
});
afterAll(async () => {
  await testServer.close();
  await close();
});

const signIn = async (id: string) => {
  const client = await testServer.signIn(id as ProviderId);
  return (await client.auth.getUser()).data.user;
};

test("a GitHub user is identified by the numeric id, with the first verified address", async () => {
  expect(await signIn("github")).toMatchObject({
    email: "octo@example.org",
    app_metadata: { provider: "github" },
    identities: [{ provider: "github", id: "42", identity_data: { sub: "42", email_verified: true } }],
  });
  const asked = heard.filter(({ path }) => path.startsWith("/api/v3"));
  expect(asked.map(({ headers }) => headers.authorization)).toEqual(["Bearer gh", "Bearer gh"]);
});

test("requests to Twitch carry the client id, and its array of scopes is understood", async () => {
  expect(await signIn("twitch")).toMatchObject({
    email: "tw@example.org",
    identities: [{ provider: "twitch", id: "77" }],
  });
  expect(heard.find(({ path }) => path === "/helix/users")?.headers).toMatchObject({
    authorization: "Bearer tw",
    "client-id": "site",
  });
});

test("an address that GitHub did not verify cannot sign in", async () => {
  const verified = ANSWERS["/api/v3/user/emails"];
  ANSWERS["/api/v3/user"] = { id: 43, login: "new" };
  ANSWERS["/api/v3/user/emails"] = [{ email: "new@example.org", primary: true, verified: false }];
  const landed = await testServer.browser().go((await testServer.leave("github" as ProviderId)).url);
  ANSWERS["/api/v3/user/emails"] = verified;
  expect(fragmentOf(landed)).toMatchObject({ error_code: "provider_email_needs_verification" });
});

test("an account is found by any address that GitHub verified, and keeps its own", async () => {
  const addresses = ANSWERS["/api/v3/user/emails"];
  const { data: made } = await testServer.server.auth.admin.createUser({
    email: "second@example.org",
    email_confirm: true,
  });
  ANSWERS["/api/v3/user"] = { id: 44, login: "two" };
  ANSWERS["/api/v3/user/emails"] = [
    { email: "first@example.org", primary: true, verified: true },
    { email: "stranger@example.org", primary: false, verified: false },
    { email: "Second@example.org", primary: false, verified: true },
  ];
  for (let times = 0; times < 2; times++) {
    const user = await signIn("github");
    expect(user).toMatchObject({ id: made.user?.id, email: "second@example.org" });
    const identity = user?.identities?.find(({ provider }) => provider === "github");
    expect(identity).toMatchObject({ id: "44", identity_data: { email: "second@example.org" } });
  }
  ANSWERS["/api/v3/user/emails"] = addresses;
});

test("of two accounts, the one with GitHub's primary address signs in; an unverified address finds none", async () => {
  const addresses = ANSWERS["/api/v3/user/emails"];
  const make = async (email: string) =>
    (await testServer.server.auth.admin.createUser({ email, email_confirm: true })).data.user?.id;
  const [unverified, other, primary] = [
    await make("claimed@example.org"),
    await make("other@example.org"),
    await make("main@example.org"),
  ];
  ANSWERS["/api/v3/user"] = { id: 45, login: "three" };
  ANSWERS["/api/v3/user/emails"] = [
    { email: "claimed@example.org", primary: false, verified: false },
    { email: "other@example.org", primary: false, verified: true },
    { email: "main@example.org", primary: true, verified: true },
  ];
  const user = await signIn("github");
  expect(user?.id).toBe(primary);
  expect([unverified, other]).not.toContain(user?.id);
  ANSWERS["/api/v3/user/emails"] = addresses;
});
