import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  CALLBACK,
  fragmentOf,
  openProviders,
  type ProviderServer,
} from "#tests/helpers/auth/provider-server.ts";

let testServer: ProviderServer;
beforeAll(async () => {
  testServer = await openProviders();
});
afterAll(() => testServer.close());

/** A sign-in that the provider has redirected back, but that has not arrived yet. */
async function returning(flowType: "pkce" | "implicit" = "implicit") {
  testServer.somebody();
  const browser = testServer.browser();
  const { client, url } = await testServer.leave("google", { flowType });
  const back = await browser.go(url, (at) => at.href.startsWith(CALLBACK));
  return { browser, client, back };
}
const site = (url: URL) => url.hostname === "site.test";

describe("a state", () => {
  test("is valid once", async () => {
    const { browser, back } = await returning();
    const before = browser.copy();
    expect(fragmentOf(await browser.go(back.href, site)).access_token).toMatch(/.+/);
    const asked = testServer.counterpart.requests.length;
    const again = await before.go(back.href, site);
    expect(fragmentOf(again)).toMatchObject({ error: "invalid_request", error_code: "bad_oauth_state" });
    expect(testServer.counterpart.requests.length).toBe(asked);
  });

  test("is valid only in the browser that started the sign-in", async () => {
    const { browser, back } = await returning();
    const other = await testServer.browser().go(back.href, site);
    expect(fragmentOf(other).error_code).toBe("bad_oauth_state");
    const another = await returning();
    expect(fragmentOf(await another.browser.go(back.href, site)).error_code).toBe("bad_oauth_state");
    // The stranger's attempt did not spend it.
    expect(fragmentOf(await browser.go(back.href, site)).access_token).toMatch(/.+/);
  });

  test("stays valid when another tab's sign-in ends, well or not", async () => {
    testServer.somebody();
    const browser = testServer.browser();
    const leave = async () =>
      browser.go((await testServer.leave("google")).url, ({ hostname }) => hostname !== "backend.test");
    const [first, second, third] = [await leave(), await leave(), await leave()];
    expect(fragmentOf(await browser.go(first.href)).access_token).toMatch(/.+/);
    const failed = `${CALLBACK}?error=access_denied&state=${second.searchParams.get("state")}`;
    expect(fragmentOf(await browser.go(failed)).error).toBe("access_denied");
    expect(fragmentOf(await browser.go(third.href)).access_token).toMatch(/.+/);
  });

  test("cannot be made up, changed or omitted", async () => {
    const { browser, back } = await returning();
    for (const state of [
      "",
      "x",
      `${crypto.randomUUID()}.${"A".repeat(43)}`,
      `${back.searchParams.get("state")}A`,
    ]) {
      const forged = new URL(back);
      forged.searchParams.set("state", state);
      const { error, access_token } = fragmentOf(await browser.go(forged.href, site));
      expect([error, access_token]).toEqual(["invalid_request", undefined]);
    }
  });

  test("expires", async () => {
    const { browser, back } = await returning();
    await testServer.query("update auth.flow_state set created_at = created_at - interval '6 minutes'");
    expect(fragmentOf(await browser.go(back.href, site)).error_code).toBe("bad_oauth_state");
  });
});

describe("a code", () => {
  test("of the provider is valid once, with any state", async () => {
    const first = await returning();
    await first.browser.go(first.back.href, site);
    const second = await returning();
    const mixed = new URL(second.back);
    mixed.searchParams.set("code", first.back.searchParams.get("code") ?? "");
    expect(fragmentOf(await second.browser.go(mixed.href, site))).toMatchObject({ error: "server_error" });
  });

  test("of another sign-in is refused: the provider checks its verifier", async () => {
    const [mine, stolen] = [await returning(), await returning()];
    const injected = new URL(mine.back);
    injected.searchParams.set("code", stolen.back.searchParams.get("code") ?? "");
    expect(fragmentOf(await mine.browser.go(injected.href, site))).toMatchObject({ error: "server_error" });
  });

  test("of ours can be exchanged once, and only by the holder of the verifier", async () => {
    const { browser, client, back } = await returning("pkce");
    const code = (await browser.go(back.href, site)).searchParams.get("code") as string;
    const exchange = (verifier?: string) =>
      testServer.request("POST", "/token?grant_type=pkce", {
        body: { auth_code: code, ...(verifier !== undefined && { code_verifier: verifier }) },
      });
    // A sign-in started with a challenge cannot be completed without its verifier.
    for (const verifier of [undefined, ""]) expect((await exchange(verifier)).status).toBe(400);
    expect((await exchange("a".repeat(64))).body.error_code).toBe("bad_code_verifier");
    expect((await client.auth.exchangeCodeForSession(code)).error).toBe(null);
    expect((await exchange("a".repeat(64))).body.error_code).toBe("flow_state_not_found");
  });

  test("in the URL never comes with tokens", async () => {
    const { browser, back } = await returning("pkce");
    const landed = await browser.go(back.href, site);
    expect([landed.hash, landed.searchParams.get("access_token")]).toEqual(["", null]);
  });
});

describe("a redirect target outside the allow list", () => {
  test.each(["https://evil.test/", "https://site.test.evil.test/", "javascript:alert(1)", "//evil.test"])(
    "%s gets nothing",
    async (redirectTo) => {
      testServer.somebody();
      const { url } = await testServer.leave("google", { redirectTo });
      const landed = await testServer.browser().go(url);
      expect(landed.origin).toBe("http://site.test");
    },
  );

  test("a target on the allow list is used", async () => {
    testServer.somebody();
    const { url } = await testServer.leave("google", { redirectTo: "https://shop.partner.test/back" });
    expect((await testServer.browser().go(url)).href).toMatch(/^https:\/\/shop\.partner\.test\/back#/);
  });
});

test("parameters that determine client, redirect and response cannot be set by the caller", async () => {
  const { headers } = await testServer.request(
    "GET",
    "/authorize?provider=google&redirect_uri=https://evil.test&client_id=evil&state=mine&nonce=mine&response_type=token&response_mode=query&prompt=login",
  );
  const { searchParams } = new URL(headers.get("location") ?? "");
  expect(Object.fromEntries(searchParams)).toMatchObject({
    redirect_uri: CALLBACK,
    client_id: "site",
    response_type: "code",
    code_challenge_method: "S256",
    prompt: "login",
  });
  expect([searchParams.get("response_mode"), searchParams.get("nonce") === "mine"]).toEqual([null, false]);
});
