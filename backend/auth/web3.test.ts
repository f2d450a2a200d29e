import { generateKeyPairSync, sign } from "node:crypto";
import { base58 } from "@scure/base";
import { decodeJwt } from "jose";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { createSiweMessage } from "viem/siwe";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type AuthTestServer, openAuth } from "#tests/helpers/auth/auth-server.ts";

const SITE = "https://site.test";
const MINUTE = 60_000;
const ago = (ms: number) => new Date(Date.now() - ms);

let testServer: AuthTestServer;
beforeAll(async () => {
  testServer = await openAuth({
    siteUrl: SITE,
    uriAllowList: ["https://app.test/**"],
    web3: { ethereum: 600, solana: 600 },
    addressHeader: "x-real-ip",
  });
});
afterAll(() => testServer.close());
beforeEach(() => testServer.query("delete from backend.rate_limits"));

type Answer = { error?: string; error_description?: string; msg?: string; user?: { id: string } };

async function send(chain: string, message: string, signature: string, address = "192.0.2.1") {
  const body = { chain, message, signature };
  const headers = { "x-real-ip": address };
  const answer = await testServer.request("POST", "/token?grant_type=web3", { body, headers });
  return { status: answer.status, body: answer.body as Answer };
}

function newWallet() {
  return privateKeyToAccount(generatePrivateKey());
}

type Siwe = Parameters<typeof createSiweMessage>[0];
function siwe(address: Siwe["address"], changes: Partial<Siwe> = {}): string {
  const nonce = crypto.randomUUID().replaceAll("-", "");
  const usual = {
    address,
    chainId: 1,
    domain: "site.test",
    nonce,
    uri: `${SITE}/auth`,
    version: "1",
  } as const;
  return createSiweMessage({ ...usual, issuedAt: new Date(), statement: "I like fruit.", ...changes });
}

function newSolanaWallet() {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const key = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");
  return {
    address: base58.encode(key),
    key,
    signMessage: (said: string | Buffer) =>
      sign(null, typeof said === "string" ? Buffer.from(said) : said, privateKey),
  };
}

function siws(address: string, { domain = "site.test", uri = `${SITE}/auth`, issuedAt = new Date() } = {}) {
  const lines = [
    `${domain} wants you to sign in with your Solana account:`,
    address,
    "",
    "I like fruit.",
    "",
  ];
  return [...lines, `URI: ${uri}`, "Version: 1", `Issued At: ${issuedAt.toISOString()}`].join("\n");
}

describe("the official client signs in with a wallet of", () => {
  test("Ethereum: one account per wallet, whatever its address's case", async () => {
    const wallet = newWallet();
    const asked: string[] = [];
    const provider = {
      address: wallet.address,
      async request({ method, params }: { method: string; params?: unknown[] }) {
        asked.push(method);
        if (method === "eth_chainId") return "0x1";
        if (method === "eth_requestAccounts") return [wallet.address.toLowerCase()];
        return wallet.signMessage({ message: { raw: params?.[0] as `0x${string}` } });
      },
      on() {},
      removeListener() {},
    };
    const sign = () =>
      testServer.visitor().auth.signInWithWeb3({
        chain: "ethereum",
        wallet: provider as never,
        statement: "I like fruit.",
        options: { url: `${SITE}/auth` },
      });
    const { data, error } = await sign();
    expect(error).toBe(null);
    expect(asked).toContain("personal_sign");
    const address = wallet.address.toLowerCase();
    const claims = {
      address,
      chain: "ethereum",
      network: "1",
      domain: "site.test",
      statement: "I like fruit.",
    };
    expect(data.user).toMatchObject({
      email: "",
      is_anonymous: false,
      app_metadata: { provider: "web3", providers: ["web3"] },
      user_metadata: { custom_claims: claims },
      identities: [
        { provider: "web3", id: `web3:ethereum:${address}`, identity_data: { custom_claims: claims } },
      ],
    });
    expect(decodeJwt(data.session?.access_token ?? "").amr).toMatchObject([{ method: "web3" }]);
    expect((await sign()).data.user?.id).toBe(data.user?.id);
    const [entry] = await testServer.query(
      "select payload -> 'traits' as traits from auth.audit_log_entries where payload ->> 'action' = 'login' limit 1",
    );
    expect(entry?.traits).toEqual({ provider: "web3" });
  });

  test("Solana: with its own sign-in, and with a plain signature", async () => {
    const wallet = newSolanaWallet();
    const plain = {
      publicKey: { toBase58: () => wallet.address },
      signMessage: async (bytes: Uint8Array) =>
        new Uint8Array(wallet.signMessage(Buffer.from(bytes).toString())),
    };
    const { data, error } = await testServer.visitor().auth.signInWithWeb3({
      chain: "solana",
      wallet: plain as never,
      statement: "I like fruit.",
      options: { url: `${SITE}/auth` },
    });
    expect(error).toBe(null);
    const id = `web3:solana:${wallet.address}`;
    expect(data.user?.identities).toMatchObject([{ provider: "web3", id }]);
    const message = siws(wallet.address);
    const again = await send("solana", message, wallet.signMessage(message).toString("base64"));
    expect(again.body.user?.id).toBe(data.user?.id);
  });
});

/** What a hardware wallet signs: the text in Solana's off-chain format, version 0, with its own key as the one signer. */
function offChain(text: string, key: Buffer, application: string): Buffer {
  const message = Buffer.from(text);
  const domain = Buffer.alloc(32);
  domain.write(application);
  const length = Buffer.from([message.length & 0xff, message.length >> 8]);
  const head = Buffer.from("\xffsolana offchain\0", "latin1");
  return Buffer.concat([head, domain, Buffer.from([0, 1]), key, length, message]);
}

test("a hardware wallet signs in with Solana's off-chain format, for this site only, once", async () => {
  const [wallet, other] = [newSolanaWallet(), newSolanaWallet()];
  const attempt = (text: string, signed: Buffer) =>
    send("solana", text, wallet.signMessage(signed).toString("base64"));
  const text = siws(wallet.address);
  const mismatch = { error_description: "Signature does not match address in message" };
  for (const wrong of [
    offChain(text, wallet.key, "evil.test"),
    offChain(text, other.key, "site.test"),
    offChain(`${text} `, wallet.key, "site.test"),
  ]) {
    expect((await attempt(text, wrong)).body).toMatchObject(mismatch);
  }
  expect((await attempt(text, offChain(text, wallet.key, "site.test"))).status).toBe(200);
  const used = { error_description: "Message was used already, sign a new one" };
  expect((await attempt(text, Buffer.from(text))).body).toMatchObject(used);
  const later = siws(wallet.address, { issuedAt: ago(MINUTE) });
  expect((await attempt(later, offChain(later, wallet.key, ""))).status).toBe(200);
});

test("an Ethereum message without a chain's number signs in, as upstream", async () => {
  const wallet = newWallet();
  const message = siwe(wallet.address).replace("Chain ID: 1\n", "");
  expect((await send("ethereum", message, await wallet.signMessage({ message }))).status).toBe(200);
});

const DOMAIN = /Domain that does not match/;
test.each<[string, Partial<Siwe>, RegExp]>([
  ["for another site", { uri: "https://evil.test/", domain: "evil.test" }, /signed for another app/],
  ["that names this site, shown to its owner as another", { domain: "evil.test" }, DOMAIN],
  ["shown as this site, for another", { uri: "https://evil.test/" }, /signed for another app/],
  ["without TLS", { uri: "http://site.test/" }, /does not use HTTPS/],
  ["of eleven minutes ago", { issuedAt: ago(11 * MINUTE) }, /issued too long ago/],
  ["of in eleven minutes", { issuedAt: ago(-11 * MINUTE) }, /too far in the future/],
  ["that is expired", { issuedAt: ago(5 * MINUTE), expirationTime: ago(MINUTE) }, /is expired/],
  ["that is not good yet", { notBefore: ago(-5 * MINUTE) }, /becomes valid in the future/],
])("a message %s is refused", async (_, changes, why) => {
  const wallet = newWallet();
  const message = siwe(wallet.address, changes);
  const { status, body } = await send("ethereum", message, await wallet.signMessage({ message }));
  expect(body).toEqual({ error: "invalid_grant", error_description: expect.stringMatching(why) });
  expect(status).toBe(400);
});

test("a message for an allowed URL signs in; replayed, it does not", async () => {
  const wallet = newWallet();
  const message = siwe(wallet.address, { uri: "https://app.test/in", domain: "app.test" });
  const signature = await wallet.signMessage({ message });
  expect((await send("ethereum", message, signature)).status).toBe(200);
  const replayed = [signature, signature.toUpperCase().replace("0X", "0x"), signature.slice(2)];
  for (const again of replayed) {
    expect((await send("ethereum", message, again)).body).toEqual({
      error: "invalid_grant",
      error_description: "Message was used already, sign a new one",
    });
  }
});

test("another wallet's address, a changed text and a broken signature are refused", async () => {
  const [wallet, other] = [newWallet(), newWallet()];
  const mismatch = {
    error: "invalid_grant",
    error_description: "Signature does not match address in message",
  };
  const message = siwe(other.address);
  expect((await send("ethereum", message, await wallet.signMessage({ message }))).body).toEqual(mismatch);
  const own = siwe(wallet.address);
  const signature = await wallet.signMessage({ message: own });
  expect((await send("ethereum", own.replace("fruit", "fruits"), signature)).body).toEqual(mismatch);
  expect((await send("ethereum", own, `0x${"00".repeat(65)}`)).body).toEqual(mismatch);
  expect((await send("ethereum", own, `0x${"ff".repeat(65)}`)).body).toEqual(mismatch);
  const [solana, stranger] = [newSolanaWallet(), newSolanaWallet()];
  const theirs = siws(stranger.address);
  expect((await send("solana", theirs, solana.signMessage(theirs).toString("base64"))).body).toEqual(
    mismatch,
  );
});

test.each<[string, (message: string) => string, string]>([
  ["a field twice", (m) => `${m}\nURI: https://evil.test/`, "URI is there twice"],
  [
    "another version",
    (m) => m.replace("Version: 1", "Version: 2"),
    "Version value is not supported, expected 1",
  ],
  [
    "no first line",
    (m) => m.replace("wants you to", "wants you not to"),
    "message first line does not match the required format",
  ],
  [
    "a statement of two lines",
    (m) => m.replace("I like fruit.", "I like\nfruit."),
    "encountered unparsable line at index 3",
  ],
  [
    "Solana's account",
    (m) => m.replace("Ethereum", "Solana"),
    "message first line does not match the required format",
  ],
  [
    "a name for a domain",
    (m) => m.replace("site.test wants", "user@site.test wants"),
    "domain in first line of message is not valid",
  ],
  ["an unknown chain", (m) => m.replace("Chain ID: 1", "Chain ID: x"), "Chain ID is not valid"],
  ["no time", (m) => m.replace(/Issued At: .*/, "Issued At: yesterday"), "Issued At is not a time"],
])("a malformed message is refused: %s", async (_, change, why) => {
  const wallet = newWallet();
  const message = change(siwe(wallet.address));
  const { status, body } = await send("ethereum", message, await wallet.signMessage({ message }));
  expect([status, body.msg]).toEqual([400, why]);
});

test("bodies are limited, and chains are enabled individually", async () => {
  const wallet = newWallet();
  const message = siwe(wallet.address);
  const signature = await wallet.signMessage({ message });
  expect((await send("ethereum", "x", signature)).body.msg).toBe("message is too short");
  for (const long of ["x".repeat(20_481), "é".repeat(10_241)]) {
    expect((await send("ethereum", long, signature)).body.msg).toBe("message must not exceed 20KB");
  }
  expect((await send("ethereum", message, "0x12")).body.msg).toMatch(/65 bytes long/);
  expect((await send("kaspa", message, signature)).body.msg).toBe("Unsupported chain");
  const off = await openAuth({ siteUrl: SITE, web3: { ethereum: null, solana: 600 } });
  const body = { chain: "ethereum", message, signature };
  const refused = await off.request("POST", "/token?grant_type=web3", { body });
  expect(refused.body).toMatchObject({
    error_code: "web3_provider_disabled",
    msg: "Ethereum Web3 provider is disabled",
  });
  await off.close();
});

test("a banned wallet cannot sign in, and thirty attempts in five minutes are the limit", async () => {
  const wallet = newWallet();
  const attempt = async () => {
    const message = siwe(wallet.address);
    return send("ethereum", message, await wallet.signMessage({ message }));
  };
  const { body } = await attempt();
  await testServer.server.auth.admin.updateUserById(body.user?.id ?? "", { ban_duration: "1h" });
  expect((await attempt()).body.msg).toBe("User is banned");
  const statuses: number[] = [];
  const tryOne = async () => (await send("solana", "x".repeat(64), "A".repeat(86), "192.0.2.2")).status;
  for (let tries = 0; tries < 31; tries++) statuses.push(await tryOne());
  expect(statuses).toEqual([...Array(30).fill(400), 429]);
});
