import { createHash, createSecretKey } from "node:crypto";
import { exportSPKI, importJWK, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openProviders, type ProviderServer } from "#tests/helpers/auth/provider-server.ts";

let testServer: ProviderServer;
let person: ReturnType<ProviderServer["somebody"]>;
beforeAll(async () => {
  testServer = await openProviders();
});
afterAll(() => testServer.close());
beforeEach(() => {
  person = testServer.somebody();
});

const hashed = (nonce: string) => createHash("sha256").update(nonce).digest("hex");

const send = (token: string, more: { nonce?: string; access_token?: string; provider?: string } = {}) =>
  testServer.visitor().auth.signInWithIdToken({ provider: "google", token, ...more });

/** The service's response to an ID token with these claims changed. */
async function refusal(claims: Record<string, unknown>, more: Parameters<typeof send>[1] = {}) {
  const { data, error } = await send(await testServer.counterpart.idToken({ ...person, ...claims }), more);
  expect(data.session).toBe(null);
  return [error?.status, error?.message];
}

test("an ID token signs in to the same account as the provider's redirect", async () => {
  const { data } = await send(await testServer.counterpart.idToken({ ...person, nonce: hashed("n-1") }), {
    nonce: "n-1",
  });
  expect(data.user).toMatchObject({ email: person.email, app_metadata: { provider: "google" } });
  const bySide = await testServer.signIn("google");
  expect((await bySide.auth.getUser()).data.user?.id).toBe(data.user?.id);
});

describe("an ID token is refused", () => {
  test("with another nonce, or with a nonce if none was sent", async () => {
    expect(await refusal({ nonce: hashed("right") }, { nonce: "wrong" })).toEqual([400, "Nonces mismatch"]);
    // The token must contain the nonce's hash, not the nonce itself, which anyone who saw the token would know.
    expect(await refusal({ nonce: "plain" }, { nonce: "plain" })).toEqual([400, "Nonces mismatch"]);
    const either = "Passed nonce and nonce in id_token should either both exist or not.";
    expect(await refusal({ nonce: hashed("right") })).toEqual([400, either]);
    expect(await refusal({}, { nonce: "right" })).toEqual([400, either]);
  });

  test("for another audience", async () => {
    expect(await refusal({ aud: "another-site" })).toEqual([400, "Unacceptable audience in id_token"]);
  });

  test.each([
    ["from another issuer", { iss: "https://accounts.evil.test" }],
    ["that has expired", { exp: 1_000_000_000 }],
    ["without a person", { sub: undefined }],
  ])("%s", async (_, claims) => {
    expect(await refusal(claims)).toEqual([400, "Bad ID token"]);
  });

  test("signed with another key, unsigned, or with the public key as a secret", async () => {
    const { counterpart } = testServer;
    const now = Math.floor(Date.now() / 1000);
    const claims = { ...person, iss: counterpart.url, aud: counterpart.clientId, iat: now, exp: now + 300 };
    const publicKey = (await importJWK(counterpart.publicJwk, "RS256", { extractable: true })) as CryptoKey;
    const pem = await exportSPKI(publicKey);
    const forged = [
      await counterpart.idToken({ ...person }, { key: "foreign" }),
      new UnsecuredJWT(claims).encode(),
      await new SignJWT(claims)
        .setProtectedHeader({ alg: "HS256", kid: "own" })
        .sign(createSecretKey(Buffer.from(pem))),
      await new SignJWT(claims)
        .setProtectedHeader({ alg: "HS256" })
        .sign(createSecretKey(Buffer.from(testServer.counterpart.secret.padEnd(32, " ")))),
      "not.a.token",
    ];
    for (const token of forged) {
      const { data, error } = await send(token);
      expect([data.session, error?.status, error?.message]).toEqual([null, 400, "Bad ID token"]);
    }
  });

  test("with the access token of another sign-in", async () => {
    const token = await testServer.counterpart.idToken({ ...person, at_hash: "AAAAAAAAAAAAAAAAAAAAAA" });
    expect((await send(token, { access_token: "stolen" })).error?.message).toBe("Bad ID token");
  });

  test("of a provider that is disabled, unknown, or issues none", async () => {
    const token = await testServer.counterpart.idToken({ ...person });
    const errors = await Promise.all(
      ["facebook", "myspace", "discord"].map((provider) => send(token, { provider })),
    );
    expect(errors.map(({ error }) => error?.code)).toEqual([
      "provider_disabled",
      "validation_failed",
      "validation_failed",
    ]);
  });

  test("with an unverified address that another account has", async () => {
    await testServer.server.auth.admin.createUser({ email: person.email, email_confirm: true });
    const { error } = await send(await testServer.counterpart.idToken({ ...person, email_verified: false }));
    expect(error?.code).toBe("provider_email_needs_verification");
  });
});
