import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterEach, describe, expect, test, vi } from "vitest";
import { parseRoleClaimPath } from "./role-claim.ts";
import { signToken } from "./sign-token.ts";
import { createTokenVerifier, type TokenVerifierOptions } from "./token-verifier.ts";

const SECRET = "a secret of at least thirty-two characters";
afterEach(() => {
  vi.useRealTimers();
});

const now = () => Math.floor(Date.now() / 1000);

function verifier(options: TokenVerifierOptions = {}) {
  return createTokenVerifier({ secret: SECRET, anonRole: "anon", ...options });
}

async function refusal(token: string | null, options: TokenVerifierOptions = {}) {
  const error = await verifier(options)
    .verify(token)
    .then(
      () => "accepted",
      (cause) => `${cause.fault}: ${cause.message}`,
    );
  return error;
}

function unsigned(header: object, claims: object): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  return `${encode(header)}.${encode(claims)}.`;
}

describe("a token is refused", () => {
  test("when it does not have three parts", async () => {
    expect(await refusal("abc")).toBe("malformed: Expected 3 parts in JWT; got 1");
  });

  test("when its content is not a JWT", async () => {
    expect(await refusal("a.b.c")).toBe("malformed: JWT cryptographic operation failed");
  });

  test("when it was signed with another secret", async () => {
    const forged = await signToken({ role: "service_role" }, "another secret of at least thirty-two chars");
    expect(await refusal(forged)).toMatch(/^signature:/);
  });

  test("when it is unsigned, whatever it claims", async () => {
    expect(await refusal(unsigned({ alg: "none" }, { role: "service_role" }))).toMatch(/^signature:/);
  });

  test("when an asymmetric algorithm is named but the server has only a secret", async () => {
    const { privateKey } = await generateKeyPair("ES256");
    const token = await new SignJWT({ role: "service_role" })
      .setProtectedHeader({ alg: "ES256" })
      .sign(privateKey);
    expect(await refusal(token)).toBe("signature: Wrong or unsupported encoding algorithm");
  });

  test("when it is expired, by its signature once and from the cache after that", async () => {
    const subject = verifier();
    const expired = await signToken({ role: "authenticated", exp: 1 }, SECRET);
    for (let times = 0; times < 3; times++)
      await expect(subject.verify(expired)).rejects.toThrow("JWT expired");
    expect(() => subject.verifyKnown(expired)).toThrow("JWT expired");
    for (let times = 0; times < 2; times++) await expect(subject.verify("a.b.c")).rejects.toThrow();
    expect(subject.use()).toEqual({ found: 3, verified: 3, dropped: 0 });
  });

  test("when it expired more than the leeway of 30 seconds ago, even if it was accepted before", async () => {
    const expired = await signToken({ role: "authenticated", exp: now() - 40 }, SECRET);
    expect(await refusal(expired)).toBe("expired: JWT expired");
    const subject = verifier();
    const expiring = await signToken({ role: "authenticated", exp: now() - 29 }, SECRET);
    await subject.verify(expiring);
    vi.setSystemTime(Date.now() + 2_000);
    await expect(subject.verify(expiring)).rejects.toThrow("JWT expired");
  });

  test("when it is from the future", async () => {
    expect(await refusal(await signToken({ nbf: now() + 60 }, SECRET))).toBe("claims: JWT not yet valid");
    expect(await refusal(await signToken({ iat: now() + 60 }, SECRET))).toBe("claims: JWT issued at future");
  });

  test("when its times are not numbers or its audience is another", async () => {
    const text = await signToken({ exp: "soon" as never }, SECRET);
    expect(await refusal(text)).toBe("claims: The JWT 'exp' claim must be a number");
    const other = await signToken({ aud: "elsewhere" }, SECRET);
    expect(await refusal(other, { audience: "here" })).toBe("claims: JWT not in audience");
  });

  test("when it lacks the issuer, audience or expiry of the one issuing service", async () => {
    const issued = { audience: "authenticated", isIssuer: (issuer: string) => issuer === "https://here" };
    const good = {
      sub: "ana",
      role: "authenticated",
      aud: "authenticated",
      iss: "https://here",
      exp: now() + 60,
    };
    const judge = async (claims: object) =>
      refusal(await signToken({ ...good, ...claims } as Parameters<typeof signToken>[0], SECRET), { issued });
    expect(await judge({})).toBe("accepted");
    expect(await judge({ aud: ["else", "authenticated"] })).toBe("accepted");
    expect(await judge({ exp: undefined })).toBe("claims: JWT has no expiry");
    expect(await judge({ iss: "https://there" })).toBe("claims: JWT not from this issuer");
    expect(await judge({ iss: undefined })).toBe("claims: JWT not from this issuer");
    for (const aud of ["elsewhere", undefined, []])
      expect(await judge({ aud })).toBe("claims: JWT not in audience");
    // An API key has no subject; a token with one is no key, whatever its role.
    const key = await signToken({ iss: "supabase", role: "service_role" }, SECRET);
    expect(await refusal(key, { issued })).toBe("accepted");
    expect(await judge({ role: "service_role", iss: "supabase" })).toBe("claims: JWT not from this issuer");
  });

  test("when it is missing and anonymous access is off", async () => {
    expect(await refusal(null, { anonRole: undefined })).toBe("missing: Anonymous access is disabled");
  });

  test("when it is an unknown opaque key", async () => {
    expect(await refusal("sb_secret_wrong", { secretKey: "sb_secret_right" })).toBe(
      "malformed: Invalid API key",
    );
  });
});

describe("a token is accepted", () => {
  test("with its role and claims, the role always among them", async () => {
    const identity = await verifier().verify(await signToken({ role: "authenticated", sub: "ana" }, SECRET));
    expect(identity.role).toBe("authenticated");
    expect(JSON.parse(identity.claimsText)).toEqual({ role: "authenticated", sub: "ana" });
  });

  test("without a role as the anonymous role", async () => {
    const identity = await verifier().verify(await signToken({ sub: "ana" }, SECRET));
    expect(JSON.parse(identity.claimsText)).toEqual({ role: "anon", sub: "ana" });
  });

  test("when it is a key: none, the publishable one, the secret one", async () => {
    const subject = verifier({ publishableKey: "sb_publishable_1", secretKey: "sb_secret_1" });
    expect((await subject.verify(null)).role).toBe("anon");
    expect((await subject.verify("sb_publishable_1")).role).toBe("anon");
    expect((await subject.verify("sb_secret_1")).role).toBe("service_role");
  });

  test("when a key of the set signed it", async () => {
    const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: "k1", alg: "ES256" }] };
    const token = await new SignJWT({ role: "authenticated" })
      .setProtectedHeader({ alg: "ES256", kid: "k1" })
      .sign(privateKey);
    expect((await verifier({ jwks }).verify(token)).role).toBe("authenticated");
  });

  test("with its role at a configured path", async () => {
    const token = await signToken({ app: { roles: ["editor"] }, role: "anon" }, SECRET);
    expect((await verifier({ roleClaimPath: ".app.roles[0]" }).verify(token)).role).toBe("editor");
  });
});

test("a role claim path may contain quoted keys, and nonsense is refused", () => {
  expect(parseRoleClaimPath('."https://example.org/role"')).toEqual(["https://example.org/role"]);
  expect(parseRoleClaimPath("$.a[1].b")).toEqual(["a", 1, "b"]);
  expect(parseRoleClaimPath("role")).toBeNull();
  expect(parseRoleClaimPath("")).toBeNull();
});
