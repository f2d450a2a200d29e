import { exportJWK, generateKeyPair, type JWK } from "jose";
import { expect, test } from "vitest";
import { createTokenSigner } from "./token-signer.ts";
import { createTokenVerifier } from "./token-verifier.ts";

const secret = "a secret of at least thirty-two characters";
const claims = { role: "authenticated", sub: "ana", exp: Math.floor(Date.now() / 1000) + 60 };

async function makeKey(kid: string, operation: "sign" | "verify"): Promise<JWK> {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg: "ES256", use: "sig", key_ops: [operation] };
}

test("two signing keys are refused", async () => {
  const keys = [await makeKey("one", "sign"), await makeKey("two", "sign")];
  await expect(createTokenSigner(keys, secret)).rejects.toThrow("more than one");
});

test.each(["ES256", "RS256", "EdDSA"])("a %s key marked for both operations signs", async (alg) => {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  const key: JWK = { ...(await exportJWK(privateKey)), kid: "both", alg, use: "sig", ext: true };
  const { sign, publicKeys } = await createTokenSigner([{ ...key, key_ops: ["sign", "verify"] }], secret);
  const verifier = createTokenVerifier({ jwks: publicKeys });
  expect((await verifier.verify(await sign(claims))).claims.sub).toBe("ana");
});

test("published keys contain no private parts and no shared secrets", async () => {
  const shared: JWK = { kty: "oct", k: "c2VjcmV0", alg: "HS256", kid: "shared" };
  const { publicKeys } = await createTokenSigner([await makeKey("one", "sign"), shared], secret);
  expect(publicKeys.keys).toEqual([
    expect.objectContaining({ kid: "one", alg: "ES256", key_ops: ["verify"], x: expect.any(String) }),
  ]);
  expect(JSON.stringify(publicKeys)).not.toMatch(/"d"|"k"/);
});

test("after a rotation old and new tokens verify, but not those of a withdrawn key", async () => {
  const [first, second] = [await makeKey("first", "sign"), await makeKey("second", "verify")];
  const before = await createTokenSigner([first, second], secret);
  const after = await createTokenSigner(
    [
      { ...first, key_ops: ["verify"] },
      { ...second, key_ops: ["sign"] },
    ],
    secret,
  );
  const [oldToken, newToken] = [await before.sign(claims), await after.sign(claims)];
  const everyone = createTokenVerifier({ jwks: before.publicKeys, secret });
  expect((await everyone.verify(oldToken)).claims.sub).toBe("ana");
  expect((await everyone.verify(newToken)).claims.sub).toBe("ana");
  const later = createTokenVerifier({ jwks: (await createTokenSigner([second], secret)).publicKeys, secret });
  await expect(later.verify(oldToken)).rejects.toMatchObject({ fault: "signature" });
});

test("without a signing key the secret signs", async () => {
  const { sign, publicKeys } = await createTokenSigner([], secret);
  expect((await createTokenVerifier({ secret }).verify(await sign(claims))).role).toBe("authenticated");
  expect(publicKeys.keys).toEqual([]);
});
