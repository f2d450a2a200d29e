import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { createServer } from "node:http";
import { decodeJwt } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type AuthTestServer, openAuth, PASSWORD } from "#tests/helpers/auth/auth-server.ts";
import { createIdentityProvider } from "#tests/helpers/auth/saml-idp.ts";
import { listen } from "#tests/helpers/listen.ts";

const KEY = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
const RSA_SHA1 = "http://www.w3.org/2000/09/xmldsig#rsa-sha1";
const ENTITY = "https://idp.test";

const pem = (key: KeyObject) => key.export({ format: "pem", type: "pkcs8" }).toString();
const samlSettings = () => ({
  privateKey: pem(KEY),
  nextKey: null,
  externalUrl: null,
  relayStateValidity: 120,
  allowEncrypted: false,
  privateAddresses: false,
});

let testServer: AuthTestServer;
let idp: Awaited<ReturnType<typeof createIdentityProvider>>;
let providerId: string;

const asServer = (method: string, path: string, body?: unknown) =>
  testServer.request(method, path, { body, token: testServer.serviceRoleKey });

beforeAll(async () => {
  testServer = await openAuth({ saml: samlSettings(), uriAllowList: ["http://app.test/**"] });
  const { text } = await metadata();
  idp = await createIdentityProvider(ENTITY, text);
  const made = await asServer("POST", "/admin/sso/providers", {
    type: "saml",
    metadata_xml: idp.metadata,
    domains: ["Example.org"],
    attribute_mapping: { keys: { team: { name: "team" }, name: { names: ["cn"], default: "Somebody" } } },
  });
  expect(made.status).toBe(201);
  providerId = made.body.id as string;
});
afterAll(() => testServer.close());
beforeEach(() => testServer.query("delete from backend.rate_limits"));

async function metadata(query = "") {
  const answer = await testServer.raw("GET", `/sso/saml/metadata${query}`);
  return { headers: answer.headers, text: await answer.text() };
}

/** The service's request to the provider: its id, and the relay state. */
async function begin(flowType: "pkce" | "implicit" = "implicit") {
  const browser = testServer.visitor({ flowType });
  const { data, error } = await browser.auth.signInWithSSO({
    domain: "example.org",
    options: { redirectTo: "http://app.test/in" },
  });
  expect(error).toBe(null);
  const url = data?.url ?? "";
  const relayState = new URL(url).searchParams.get("RelayState") ?? "";
  return { browser, requestId: await idp.readRequest(url), relayState };
}

/** Where a browser with this response is redirected, and the URL's parameters. */
async function bring(response: string, relayState = "") {
  const answer = await testServer.raw("POST", "/sso/saml/acs", {
    body: new URLSearchParams({ SAMLResponse: response, RelayState: relayState }),
  });
  const location = new URL(answer.headers.get("location") ?? "http://nowhere.test");
  const params = new URLSearchParams([
    ...location.searchParams,
    ...new URLSearchParams(location.hash.slice(1)),
  ]);
  return { status: answer.status, at: location.origin + location.pathname, params };
}

const decode = (response: string) => Buffer.from(response, "base64").toString();
const encode = (xml: string) => Buffer.from(xml).toString("base64");

describe("single sign-on", () => {
  test("creates its own account, even if another account has the address", async () => {
    const own = testServer.visitor();
    await own.auth.signUp({ email: "ann@example.org", password: PASSWORD });
    const { requestId, relayState } = await begin();
    const { at, params, status } = await bring(
      await idp.respond("Ann@example.org", { requestId }),
      relayState,
    );
    expect([status, at]).toEqual([303, "http://app.test/in"]);
    const token = decodeJwt(params.get("access_token") ?? "");
    expect(token).toMatchObject({
      email: "ann@example.org",
      app_metadata: { provider: `sso:${providerId}`, providers: [`sso:${providerId}`] },
      user_metadata: {
        name: "Somebody",
        custom_claims: { team: "Harbor" },
        email_verified: true,
        iss: ENTITY,
      },
      amr: [{ method: "sso/saml", provider: providerId }],
    });
    expect(token.sub).not.toBe((await own.auth.getUser()).data.user?.id);
    const [row] = await testServer.query("select is_sso_user from auth.users where id = $1", [token.sub]);
    expect(row).toEqual({ is_sso_user: true });

    const again = await begin();
    const response = await idp.respond("ann@example.org", {
      requestId: again.requestId,
      changes: { NameID: "id of Ann@example.org" },
    });
    const second = await bring(response, again.relayState);
    expect(decodeJwt(second.params.get("access_token") ?? "").sub).toBe(token.sub);
    const change = await testServer.request("PUT", "/user", {
      body: { password: "Another horse 8 battery!" },
      token: params.get("access_token"),
    });
    expect(change.body).toMatchObject({ code: 422, error_code: "user_sso_managed" });
    expect((await own.auth.signInWithPassword({ email: "ann@example.org", password: PASSWORD })).error).toBe(
      null,
    );
  });

  test("with PKCE gives the session to the requesting browser, once", async () => {
    const { browser, requestId, relayState } = await begin("pkce");
    const { params, at } = await bring(await idp.respond("bea@example.org", { requestId }), relayState);
    expect([at, params.get("access_token")]).toEqual(["http://app.test/in", null]);
    const stranger = testServer.visitor({ flowType: "pkce" });
    expect((await stranger.auth.exchangeCodeForSession(params.get("code") ?? "")).error).not.toBe(null);
    const { data, error } = await browser.auth.exchangeCodeForSession(params.get("code") ?? "");
    expect(error).toBe(null);
    expect(data.user?.email).toBe("bea@example.org");
    expect(decodeJwt(data.session?.access_token ?? "").amr).toMatchObject([
      { method: "sso/saml", provider: providerId },
    ]);
    const body = { auth_code: params.get("code"), code_verifier: "x".repeat(50) };
    expect((await testServer.request("POST", "/token?grant_type=pkce", { body })).status).toBe(404);
  });

  test("can start at the provider, and lead to an allowed address or the site", async () => {
    const wanted = await bring(await idp.respond("cay@example.org"), "http://app.test/wanted");
    expect([wanted.at, wanted.params.has("access_token")]).toEqual(["http://app.test/wanted", true]);
    const elsewhere = await bring(await idp.respond("cay@example.org"), "https://evil.test/");
    expect(elsewhere.at).toBe("http://site.test/");
  });

  test("leads back to the site even if it fails unexpectedly", async () => {
    await testServer.query(`
      create function public.fail() returns trigger language plpgsql as $$ begin raise 'no room'; end $$;
      create trigger fail before insert on auth.sessions for each row execute function public.fail()`);
    const landed = await bring(await idp.respond("unlucky@example.org"));
    await testServer.query("drop trigger fail on auth.sessions; drop function public.fail()");
    expect([landed.status, landed.at, landed.params.get("error"), landed.params.get("error_code")]).toEqual([
      303,
      "http://site.test/",
      "server_error",
      "unexpected_failure",
    ]);
  });

  test.each(["implicit", "pkce"] as const)("ends its session when the provider says so: %s", async (flow) => {
    const end = new Date(Date.now() + 3_600_000).toISOString();
    const statement = `<saml:AuthnStatement AuthnInstant="${new Date().toISOString()}" SessionNotOnOrAfter="${end}"/>`;
    const { browser, requestId, relayState } = await begin(flow);
    const response = await idp.respond("dia@example.org", {
      requestId,
      changes: { AuthnStatement: statement },
    });
    const { params } = await bring(response, relayState);
    const code = params.get("code");
    const exchanged = code ? (await browser.auth.exchangeCodeForSession(code)).data.session : null;
    const token = exchanged?.access_token ?? params.get("access_token") ?? "";
    const id = decodeJwt(token).session_id;
    const [session] = await testServer.query("select not_after from auth.sessions where id = $1", [id]);
    expect(session).toEqual({ not_after: new Date(end) });
  });
});

const EVIL = "evil@example.org";
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

/** Expects that there is no session, and that the site is told why. */
async function expectRefused(response: string, relayState: string, why: RegExp | string) {
  const { at, params } = await bring(response, relayState);
  expect(params.has("access_token") || params.has("code")).toBe(false);
  expect(params.get("error_description")).toMatch(why);
  expect(at).toBe("http://site.test/");
  expect(await testServer.query("select from auth.users where email = $1", [EVIL])).toEqual([]);
}

describe("a response is refused", () => {
  test.each<[string, Record<string, string>, RegExp]>([
    ["for another audience", { Audience: "https://other.test" }, /audience/i],
    ["for another recipient", { SubjectRecipient: "https://other.test/acs" }, /not confirmed/],
    ["for another destination", { Destination: "https://other.test/acs" }, /another destination/],
    ["of another issuer", { Issuer: "https://other.test" }, /another issuer|issuer/i],
    ["that is expired", { ConditionsNotOnOrAfter: minutesAgo(2) }, /expired/],
    ["whose confirmation is expired", { SubjectConfirmationDataNotOnOrAfter: minutesAgo(2) }, /confirm/],
    ["that is not good yet", { ConditionsNotBefore: minutesAgo(-5) }, /not yet valid/],
    ["to another request", { InResponseTo: "_another" }, /another request|not confirmed/],
    ["to no request", { InResponseTo: "" }, /another request|not confirmed/],
    [
      "with a name for today only",
      { NameIDFormat: "urn:oasis:names:tc:SAML:2.0:nameid-format:transient" },
      /persistent/,
    ],
    ["without an address", { attrMail: "" }, /email/],
  ])("%s", async (_, changes, why) => {
    const { requestId, relayState } = await begin();
    await expectRefused(await idp.respond(EVIL, { requestId, changes }), relayState, why);
  });

  test("if unsigned, signed by another key, or changed after it was signed", async () => {
    const { requestId, relayState } = await begin();
    const good = decode(await idp.respond("fay@example.org", { requestId }));
    const unsigned = good.replace(/<ds:Signature[\s\S]*?<\/ds:Signature>/g, "");
    expect(unsigned).not.toBe(good);
    await expectRefused(encode(unsigned), relayState, /signature/i);
    const weak = await begin();
    const algorithm = RSA_SHA1;
    await expectRefused(await idp.respond(EVIL, { ...weak, algorithm }), weak.relayState, /not safe/);
    const other = await createIdentityProvider(ENTITY, (await metadata()).text);
    const next = await begin();
    await expectRefused(await other.respond(EVIL, next), next.relayState, /signature/i);
    const last = await begin();
    const changed = decode(await idp.respond("fay@example.org", last)).replaceAll("fay@example.org", EVIL);
    await expectRefused(encode(changed), last.relayState, /signature|digest/i);
  });

  test.each<[string, (xml: string) => string]>([
    ["a comment in the address", (xml) => xml.replace(">gus@example.org", ">gus@example.<!---->org")],
    ["a document type", (xml) => `<!DOCTYPE a [<!ENTITY e "x">]>${xml}`],
    ["an external entity", (xml) => `<!DOCTYPE a SYSTEM "file:///etc/passwd">${xml}`],
    ["a processing instruction", (xml) => xml.replace(">gus@", "><?x y?>gus@")],
  ])("with %s", async (_, change) => {
    const { requestId, relayState } = await begin();
    const good = decode(await idp.respond("gus@example.org", { requestId }));
    expect(change(good)).not.toBe(good);
    await expectRefused(encode(change(good)), relayState, /are not allowed/);
  });

  test.each<[string, (parts: Parts) => string]>([
    ["before the signed one", ({ around, evil, signed }) => around(evil + signed)],
    ["after the signed one", ({ around, evil, signed }) => around(signed + evil)],
    [
      "around the signed one",
      ({ around, evil, signed }) => around(evil.replace("</saml:Assertion>", `${signed}</saml:Assertion>`)),
    ],
    [
      "with the signed one as an extension",
      ({ around, evil, signed }) => around(`<samlp:Extensions>${signed}</samlp:Extensions>${evil}`),
    ],
    [
      "with the signature of the signed one",
      ({ around, evil, signature, bare }) =>
        around(
          evil.replace(
            "</saml:Issuer>",
            `</saml:Issuer>${signature.replace("</ds:Signature>", `<ds:Object>${bare}</ds:Object></ds:Signature>`)}`,
          ),
        ),
    ],
    ["of the signed one's ID, before it", ({ around, twin, signed }) => around(twin + signed)],
    [
      "of the signed one's ID, as an extension",
      ({ around, twin, signed }) => around(`<samlp:Extensions>${twin}</samlp:Extensions>${signed}`),
    ],
    [
      "of the signed one's ID, with its signature",
      ({ around, twin, signature, bare }) =>
        around(twin.replace("</saml:Issuer>", `</saml:Issuer>${signature}`) + bare),
    ],
  ])("on signature wrapping: a forged assertion %s", async (_, wrap) => {
    const { requestId, relayState } = await begin();
    const parts = partsOf(decode(await idp.respond("hal@example.org", { requestId })));
    await expectRefused(encode(wrap(parts)), relayState, /SAML Assertion is not valid/);
  });

  test("if replayed, with its relay state, without, or with another one", async () => {
    const { requestId, relayState } = await begin();
    const response = await idp.respond("ida@example.org", { requestId });
    expect((await bring(response, relayState)).params.has("access_token")).toBe(true);
    await expectRefused(response, relayState, "SAML RelayState does not exist");
    await expectRefused(response, "", "another request");
    const next = await begin();
    await expectRefused(response, next.relayState, "another request");
    const unasked = await idp.respond("ida@example.org");
    expect((await bring(unasked)).params.has("access_token")).toBe(true);
    await expectRefused(unasked, "", "it was used already");
  });

  test("if late, from a disabled or unknown provider, or over the limit", async () => {
    const late = await begin();
    await testServer.query("update auth.saml_relay_states set created_at = now() - interval '3 min'");
    await expectRefused(await idp.respond(EVIL, late), late.relayState, "RelayState has expired");
    const path = `/admin/sso/providers/${providerId}`;
    const off = await begin();
    expect((await asServer("PUT", path, { disabled: true })).body.disabled).toBe(true);
    await expectRefused(await idp.respond(EVIL, off), off.relayState, "currently disabled");
    expect((await testServer.visitor().auth.signInWithSSO({ domain: "example.org" })).error).toMatchObject({
      code: "sso_provider_disabled",
    });
    await asServer("PUT", path, { disabled: false });
    const stranger = await createIdentityProvider("https://other.test", (await metadata()).text);
    await expectRefused(await stranger.respond(EVIL), "", "connection has not been established");
    await expectRefused("", "", "SAMLResponse is missing");
    await expectRefused(encode("<a"), "", "SAML Assertion is not valid");
    await expectRefused(encode("<a>".repeat(5_000)), "", "it is too long");
    await expectRefused(encode(`<a>${"x".repeat(100_000)}</a>`), "", "it is too long");
  });
});

/** A response in which one byte of the encrypted assertion, counted from its end if negative, is another. */
function changeSecret(xml: string, at: number): string {
  const [all = "", sent = ""] =
    /<xenc:CipherValue>([^<]+)<\/xenc:CipherValue>\s*<\/xenc:CipherData>\s*<\/xenc:EncryptedData>/.exec(
      xml,
    ) ?? [];
  const bytes = Buffer.from(sent, "base64");
  const index = at < 0 ? bytes.length + at : at;
  bytes.writeUInt8(bytes.readUInt8(index) ^ 1, index);
  return xml.replace(all, all.replace(sent, bytes.toString("base64")));
}

type Parts = Record<"evil" | "twin" | "signed" | "signature" | "bare", string> & {
  around(inner: string): string;
};

function partsOf(xml: string): Parts {
  const signed = /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)?.[0] ?? "";
  const signature = /<ds:Signature[\s\S]*?<\/ds:Signature>/.exec(signed)?.[0] ?? "";
  const bare = signed.replace(signature, "");
  const twin = bare.replaceAll("hal@example.org", EVIL);
  const evil = twin.replace(/ ID="[^"]+"/, ' ID="_forged"');
  expect([signed, signature].every(Boolean) && evil !== twin && twin !== bare).toBe(true);
  return { signed, signature, bare, twin, evil, around: (inner) => xml.replace(signed, () => inner) };
}

describe("a provider's metadata at a URL", () => {
  let trusting: AuthTestServer;
  let served: Record<string, string> = {};
  let fetches = 0;
  let host: Awaited<ReturnType<typeof listen>>;
  beforeAll(async () => {
    host = await listen(
      createServer(({ url = "" }, response) => {
        fetches++;
        response.end(served[url]);
      }),
    );
    trusting = await openAuth({ saml: { ...samlSettings(), privateAddresses: true } });
  });
  afterAll(async () => {
    await trusting.close();
    await host.close();
  });

  const createProvider = async (entity: string) =>
    createIdentityProvider(entity, await (await trusting.raw("GET", "/sso/saml/metadata")).text());
  async function register(metadata: string, path: string) {
    served = { [path]: metadata };
    const body = { type: "saml", metadata_url: host.url + path };
    return trusting.request("POST", "/admin/sso/providers", { body, token: trusting.serviceRoleKey });
  }
  const isLetIn = async (provider: Awaited<ReturnType<typeof createProvider>>) => {
    const body = new URLSearchParams({ SAMLResponse: await provider.respond("kim@example.org") });
    const answer = await trusting.raw("POST", "/sso/saml/acs", { body });
    return answer.headers.get("location")?.includes("access_token") ?? false;
  };
  const age = (hours: number) =>
    trusting.query(`update auth.saml_providers set updated_at = now() - interval '${hours} hours'`);

  test("is fetched again after a day; an attempt that fails is repeated in an hour, and changes nothing", async () => {
    const [former, rolled] = [await createProvider(ENTITY), await createProvider(ENTITY)];
    const made = await register(former.metadata, "/");
    expect(made.body).toMatchObject({ saml: { entity_id: ENTITY, metadata_url: `${host.url}/` } });
    served = { "/": rolled.metadata };
    expect(await isLetIn(rolled)).toBe(false);
    await age(25);
    expect(await isLetIn(rolled)).toBe(true);
    expect(await isLetIn(former)).toBe(false);
    served = { "/": (await createProvider("https://other.test")).metadata };
    await age(25);
    const before = fetches;
    for (let times = 0; times < 2; times++) expect(await isLetIn(rolled)).toBe(true);
    expect(fetches).toBe(before + 1);
    const [row] = await trusting.query(
      "select now() - updated_at > interval '24 hours' as old from auth.saml_providers",
    );
    expect(row).toEqual({ old: true });
  });

  test("that can't be read, or has expired, is fetched again as well", async () => {
    const entity = "https://expiring.test";
    const [former, rolled] = [await createProvider(entity), await createProvider(entity)];
    const expired = former.metadata.replace("entityID=", 'validUntil="2020-01-01T00:00:00Z" entityID=');
    await register(expired, "/expiring");
    served = { "/expiring": rolled.metadata };
    expect(await isLetIn(rolled), "fetched within the hour").toBe(false);
    await age(2);
    expect(await isLetIn(rolled)).toBe(true);
    served = { "/expiring": "<no" };
    await age(25);
    expect(await isLetIn(rolled)).toBe(true);
  });
});

describe("the service", () => {
  test("returns its metadata for providers, always the same, also as a file", async () => {
    const { text, headers } = await metadata();
    expect(text).toContain('entityID="http://backend.test/auth/v1/sso/saml/metadata"');
    expect(text).toContain('Location="http://backend.test/auth/v1/sso/saml/acs"');
    expect(headers.get("content-type")).toBe("application/xml");
    const file = await metadata("?download=true");
    expect(file.headers.get("content-disposition")).toContain("metadata.xml");
    const certificate = /<ds:X509Certificate>([^<]+)/;
    expect(certificate.exec(file.text)?.[1]).toBe(certificate.exec(text)?.[1]);
    expect((await testServer.request("GET", "/settings")).body.saml_enabled).toBe(true);
  });

  test("while its key is replaced, publishes both and reads what is encrypted for either", async () => {
    const next = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
    const settings = { ...samlSettings(), allowEncrypted: true };
    const [before, after, between] = await Promise.all([
      openAuth({ saml: settings }),
      openAuth({ saml: { ...settings, privateKey: pem(next) } }),
      openAuth({ saml: { ...settings, nextKey: pem(next) } }),
    ]);
    const read = (from: AuthTestServer) => from.raw("GET", "/sso/saml/metadata");
    const known = await Promise.all([before, after].map(async (server) => (await read(server)).text()));
    const both = await read(between);
    expect(both.headers.get("cache-control")).toBe("public, max-age=60");
    const published = await both.text();
    expect(published).toContain('cacheDuration="PT1H"');
    const certificates = (xml: string) =>
      [...xml.matchAll(/use="signing"[\s\S]*?<ds:X509Certificate>([^<]+)/g)].map(([, text]) => text);
    expect(certificates(published)).toEqual(known.flatMap(certificates));
    const { body } = await between.request("GET", "/settings");
    expect(body.saml_private_key_next_configured).toBe(true);
    for (const [at, xml] of known.entries()) {
      const secret = await createIdentityProvider(`https://idp${at}.test`, xml, { encrypts: true });
      const made = await between.request("POST", "/admin/sso/providers", {
        body: { type: "saml", metadata_xml: secret.metadata, domains: [`team${at}.test`] },
        token: between.serviceRoleKey,
      });
      expect(made.status).toBe(201);
      const leadTo = async (SAMLResponse: string) => {
        const answer = await between.raw("POST", "/sso/saml/acs", {
          body: new URLSearchParams({ SAMLResponse }),
        });
        return answer.headers.get("location");
      };
      const response = await secret.respond(`ana@team${at}.test`);
      expect(decode(response)).not.toContain("ana@");
      expect(await leadTo(response)).toContain("access_token=");
      const doubled = decode(response).replace(/<(\S*EncryptedAssertion)[\s>][\s\S]*<\/\1>/, "<x>$&</x>$&");
      expect(await leadTo(encode(doubled))).toContain("more+than+one");
      // Whoever is told which of them decrypt to XML can decrypt a text that is not theirs, by changing it.
      const weak = await secret.respond(`ana@team${at}.test`, { algorithm: RSA_SHA1 });
      const changed = [0, 16, 700, -1].map((byte) => changeSecret(decode(response), byte));
      for (const wrong of [weak, ...changed.map(encode)]) {
        expect(await leadTo(wrong)).toContain("it+can%27t+be+decrypted+and+verified&");
      }
    }
    await Promise.all([before, after, between].map((server) => server.close()));
  });

  test("refuses a request for an unknown provider", async () => {
    const ask = (body: object) => testServer.request("POST", "/sso", { body });
    expect((await ask({ domain: "nobody.test" })).body.error_code).toBe("sso_provider_not_found");
    expect((await ask({ provider_id: crypto.randomUUID() })).body.error_code).toBe("sso_provider_not_found");
    expect((await ask({})).body.msg).toBe("A provider_id or domain needs to be provided");
    expect((await ask({ domain: "a.test", provider_id: providerId })).body.msg).toBe(
      "Only one of provider_id or domain supported",
    );
    expect((await ask({ provider_id: providerId })).status).toBe(303);
  });
});

describe("servers manage providers", () => {
  test("list, read, change and remove them; nobody else does", async () => {
    const other = await createIdentityProvider("https://second.test", (await metadata()).text);
    const made = await asServer("POST", "/admin/sso/providers", {
      type: "saml",
      metadata_xml: other.metadata,
      resource_id: "team-two",
    });
    const path = `/admin/sso/providers/${made.body.id}`;
    expect(made.body).toMatchObject({
      resource_id: "team-two",
      saml: { entity_id: "https://second.test" },
      domains: [],
    });
    const { body } = await asServer("GET", "/admin/sso/providers?resource_id_prefix=team");
    expect(body.items).toMatchObject([{ id: made.body.id }]);
    expect(JSON.stringify(body.items)).not.toContain("metadata_xml");
    const changed = await asServer("PUT", path, { domains: ["two.test"], attribute_mapping: { keys: {} } });
    expect(changed.body).toMatchObject({ domains: [{ domain: "two.test" }] });
    expect((await asServer("GET", "/admin/sso/providers/resource_team-two")).body.id).toBe(made.body.id);
    expect((await asServer("PUT", path, { domains: ["example.org"] })).body.error_code).toBe(
      "sso_domain_already_exists",
    );
    expect((await asServer("PUT", path, { metadata_xml: idp.metadata })).body.error_code).toBe(
      "saml_entity_id_mismatch",
    );
    expect((await asServer("DELETE", path)).status).toBe(200);
    expect((await asServer("GET", path)).body.error_code).toBe("sso_provider_not_found");
    for (const [method, at] of [
      ["GET", "/admin/sso/providers"],
      ["POST", "/admin/sso/providers"],
      ["DELETE", path],
    ] as const) {
      expect((await testServer.request(method, at, { token: testServer.anonKey })).status).toBe(403);
    }
  });

  test.each<[string, (xml: string) => object, RegExp]>([
    ["of another type", (xml) => ({ type: "oidc", metadata_xml: xml }), /Only 'saml'/],
    ["without metadata", () => ({ type: "saml" }), /Either metadata_xml or metadata_url/],
    ["that is there already", (xml) => ({ type: "saml", metadata_xml: xml }), /already exists/],
    [
      "with entities",
      (xml) => ({ type: "saml", metadata_xml: `<!DOCTYPE a [<!ENTITY e "x">]>${xml}` }),
      /not allowed/,
    ],
    ["that is no XML", () => ({ type: "saml", metadata_xml: "<a" }), /no XML/],
    [
      "that signs nothing",
      (xml) => ({ type: "saml", metadata_xml: xml.replace(/<KeyDescriptor[\s\S]*<\/KeyDescriptor>/, "") }),
      /no certificate/,
    ],
    ["from an address without TLS", () => ({ type: "saml", metadata_url: "http://idp.test/" }), /HTTPS/],
    ["from this machine", () => ({ type: "saml", metadata_url: "https://127.0.0.1/" }), /private network/],
    [
      "from a cloud's own address",
      () => ({ type: "saml", metadata_url: "https://169.254.169.254/latest" }),
      /private network/,
    ],
  ])("a provider %s is refused", async (_, describeIt, why) => {
    const { status, body } = await asServer("POST", "/admin/sso/providers", describeIt(idp.metadata));
    expect(status).toBeGreaterThanOrEqual(400);
    expect(body.msg).toMatch(why);
  });
});
