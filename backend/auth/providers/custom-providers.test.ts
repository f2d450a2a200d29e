import { afterAll, beforeAll, expect, test } from "vitest";
import { openProviders, type ProviderServer } from "#tests/helpers/auth/provider-server.ts";

let testServer: ProviderServer;
beforeAll(async () => {
  testServer = await openProviders({
    providers: [],
    customProviders: { enabled: true, max: 2, privateAddresses: true },
  });
});
afterAll(() => testServer.close());

const { customProviders } = { customProviders: () => testServer.server.auth.admin.customProviders };

test("an operator adds a provider at run time, and users sign in through it", async () => {
  const { counterpart } = testServer;
  const { data: made, error } = await customProviders().createProvider({
    provider_type: "oidc",
    identifier: "custom:roblox",
    name: "Roblox",
    client_id: counterpart.clientId,
    client_secret: counterpart.secret,
    issuer: counterpart.url,
    scopes: ["openid", "email"],
    email_optional: true,
  });
  expect(error).toBe(null);
  expect(made).toMatchObject({ identifier: "custom:roblox", enabled: true, pkce_enabled: true });
  expect(JSON.stringify(made)).not.toContain(counterpart.secret);
  const [row] = await testServer.query("select client_secret from auth.custom_oauth_providers");
  expect(row?.client_secret).toMatch(/^sealed:/);
  expect((await testServer.request("GET", "/settings")).body.external).toMatchObject({
    "custom:roblox": true,
  });

  const person = testServer.somebody();
  for (const skip_nonce_check of [true, false]) {
    await customProviders().updateProvider("custom:roblox", { skip_nonce_check });
    const client = await testServer.signIn("custom:roblox");
    expect((await client.auth.getUser()).data.user, `nonce unchecked: ${skip_nonce_check}`).toMatchObject({
      email: person.email,
      identities: [{ provider: "custom:roblox", id: person.sub }],
    });
  }
});

test("an address that a provider no longer needs can be cleared", async () => {
  const { url } = testServer.counterpart;
  const discovery_url = `${url}/.well-known/openid-configuration`;
  const set = { discovery_url, jwks_uri: `${url}/keys` };
  const { data } = await customProviders().updateProvider("custom:roblox", set);
  expect(data).toMatchObject(set);
  const cleared = await customProviders().updateProvider("custom:roblox", {
    discovery_url: "",
    jwks_uri: "",
  });
  expect(cleared.error).toBe(null);
  expect([cleared.data?.discovery_url, cleared.data?.jwks_uri]).toEqual([null, null]);
  const stored = "select discovery_url, jwks_uri from auth.custom_oauth_providers";
  expect(await testServer.query(stored)).toEqual([{ discovery_url: null, jwks_uri: null }]);
});

test("a provider is read, changed, listed and deleted by its identifier", async () => {
  const made = {
    provider_type: "oauth2" as const,
    identifier: "custom:plain",
    name: "Plain",
    client_id: testServer.counterpart.clientId,
    client_secret: testServer.counterpart.secret,
    authorization_url: `${testServer.counterpart.url}/api/oauth2/authorize`,
    token_url: `${testServer.counterpart.url}/api/oauth2/token`,
    userinfo_url: `${testServer.counterpart.url}/api/users/@me`,
    scopes: ["identify"],
    attribute_mapping: { email_verified: "verified" },
  };
  expect((await customProviders().createProvider(made)).error).toBe(null);
  expect((await customProviders().createProvider(made)).error?.status).toBe(400);
  const person = testServer.somebody();
  const { url } = await testServer.leave("custom:plain" as "custom:roblox");
  const landed = await testServer.browser().go(url);
  expect(landed.hash).toContain("access_token=");
  const [identity] = await testServer.query(
    "select email from auth.identities where provider = 'custom:plain'",
  );
  expect(identity?.email).toBe(person.email);

  expect((await customProviders().getProvider("custom:plain")).data?.name).toBe("Plain");
  const changed = await customProviders().updateProvider("custom:plain", { name: "Plainer", enabled: false });
  expect(changed.data).toMatchObject({ name: "Plainer", enabled: false, scopes: ["identify"] });
  expect((await testServer.request("GET", "/authorize?provider=custom:plain")).status).toBe(400);
  const { data } = await customProviders().listProviders({ type: "oauth2" });
  expect(data.providers.map(({ identifier }) => identifier)).toEqual(["custom:plain"]);
  expect((await customProviders().deleteProvider("custom:plain")).error).toBe(null);
  expect((await customProviders().getProvider("custom:plain")).error?.code).toBe("custom_provider_not_found");
});

test("incomplete, reserved or too many providers are refused, and only operators may add them", async () => {
  const good = {
    provider_type: "oidc" as const,
    identifier: "custom:other",
    name: "Other",
    client_id: "a",
    client_secret: "b",
    issuer: testServer.counterpart.url,
  };
  const wrong = [
    { ...good, identifier: "other" },
    { ...good, name: "" },
    { ...good, issuer: "" },
    { ...good, issuer: `${testServer.counterpart.url}/nowhere` },
    { ...good, authorization_params: { redirect_uri: "https://evil.test" } },
  ];
  for (const params of wrong) {
    expect((await customProviders().createProvider(params)).error?.code).toBe("validation_failed");
  }
  expect((await customProviders().createProvider(good)).error).toBe(null);
  expect((await customProviders().createProvider({ ...good, identifier: "custom:third" })).error?.code).toBe(
    "over_quota",
  );
  const anonymous = await testServer.visitor().auth.admin.customProviders.listProviders();
  expect(anonymous.error?.code).toBe("not_admin");
});

test("what upstream reserves is refused when a provider is added or changed, in its words", async () => {
  const provider = {
    provider_type: "oauth2" as const,
    identifier: "custom:reserved",
    name: "Reserved",
    client_id: "a",
    client_secret: "b",
    authorization_url: "https://provider.test/authorize",
    token_url: "https://provider.test/token",
    userinfo_url: "https://provider.test/me",
  };
  await testServer.query("delete from auth.custom_oauth_providers");
  for (const field of ["id", "role", "app_metadata", "email_confirmed_at", "phone_verified"]) {
    const { error } = await customProviders().createProvider({
      ...provider,
      attribute_mapping: { [field]: "x" },
    });
    expect(error?.message).toBe(`Cannot map to protected system field: ${field}`);
  }
  expect((await customProviders().createProvider(provider)).error).toBe(null);
  const change = (fields: object) => customProviders().updateProvider("custom:reserved", fields);
  expect((await change({ attribute_mapping: { role: "admin" } })).error?.code).toBe("validation_failed");
  const overridden = await change({ authorization_params: { state: "mine" } });
  expect(overridden.error?.message).toBe("Cannot override reserved OAuth parameter: state");
  expect((await change({ attribute_mapping: { email: "mail" } })).error).toBe(null);
});

test("providers on private networks are refused", async () => {
  const closed = await openProviders({ providers: [] });
  const tried = [
    "http://provider.test",
    "https://127.0.0.1",
    "https://[::1]:8443",
    "https://localhost",
    "https://169.254.169.254/latest",
  ];
  for (const issuer of tried) {
    const { error } = await closed.server.auth.admin.customProviders.createProvider({
      provider_type: "oidc",
      identifier: "custom:inner",
      name: "Inner",
      client_id: "a",
      client_secret: "b",
      issuer,
    });
    expect([issuer, error?.code]).toEqual([issuer, "validation_failed"]);
  }
  await closed.close();
});
