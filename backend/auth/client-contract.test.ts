import { createClient } from "@supabase/supabase-js";
import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signToken } from "#backend/tokens/sign-token.ts";
import { type AuthTestServer, openAuth, PASSWORD } from "#tests/helpers/auth/auth-server.ts";

let testServer: AuthTestServer;
beforeAll(async () => {
  testServer = await openAuth();
});
afterAll(() => testServer.close());

/** A client whose requests end here. */
function clientOver(answer: unknown, status = 200) {
  const requests: { url: string; body: Record<string, unknown> }[] = [];
  const fetchHere: typeof fetch = async (input, init) => {
    requests.push({ url: String(input), body: JSON.parse(String(init?.body ?? "{}")) });
    return new Response(JSON.stringify(answer), { status, headers: { "content-type": "application/json" } });
  };
  const auth = { persistSession: false, autoRefreshToken: false };
  return { requests, ...createClient("http://backend.test", "key", { auth, global: { fetch: fetchHere } }) };
}

describe("what the official client says by itself", () => {
  const MISSING = "You must provide either an email or phone number and a password";

  test("a sign-up or sign-in without an address or a password leaves no browser", async () => {
    const { auth } = testServer.visitor();
    const noAddress = { password: PASSWORD } as never;
    expect((await auth.signUp({} as never)).error?.message).toBe(MISSING);
    expect((await auth.signUp(noAddress)).error?.message).toBe(MISSING);
    expect((await auth.signInWithPassword(noAddress)).error?.message).toBe(MISSING);
  });

  test("whoever is not signed in changes nothing", async () => {
    const { error } = await testServer.visitor().auth.updateUser({ data: {} });
    expect(error?.message).toBe("Auth session missing!");
  });

  test("a token that is none has no structure, and one that is over has expired", async () => {
    const { auth } = testServer.visitor();
    expect((await auth.getClaims("a.b")).error?.message).toBe("Invalid JWT structure");
    const { data } = await auth.signUp({ email: "over@example.org", password: PASSWORD });
    const claims = decodeJwt(data.session?.access_token ?? "");
    const over = await signToken({ ...claims, exp: 1 }, "only these tests sign with this secret");
    expect((await auth.getClaims(over)).error?.message).toBe("JWT has expired");
  });

  test("an answer without a session is none of this service's, and is refused", async () => {
    const { auth } = clientOver({});
    const { error } = await auth.signInWithPassword({ email: "ann@example.org", password: PASSWORD });
    expect(error?.message).toBe("Auth session or user missing");
  });

  test("a telephone's code comes by text message unless said otherwise", async () => {
    const { auth, requests } = clientOver({});
    await auth.signUp({ phone: "15550100", password: PASSWORD });
    expect(requests[0]?.body).toMatchObject({ phone: "15550100", channel: "sms" });
  });

  test.each([502, 503, 504])("a gateway's %i may be tried again", async (status) => {
    const { auth } = clientOver({}, status);
    const { error } = await auth.signInWithPassword({ email: "ann@example.org", password: PASSWORD });
    expect(error?.name).toBe("AuthRetryableFetchError");
  });
});

describe("what the service says to the same", () => {
  test("a sign-up without a password is refused", async () => {
    const answer = await testServer.request("POST", "/signup", { body: { email: "ann@example.org" } });
    expect([answer.status, answer.body.msg]).toEqual([400, "Signup requires a valid password"]);
  });

  test("a token that is none is refused as JSON, by auth/v1 and rest/v1", async () => {
    expect(await testServer.request("GET", "/user", { token: "a.b" })).toMatchObject({
      status: 403,
      body: { error_code: "bad_jwt" },
    });
    const { status, error } = await testServer
      .visitor()
      .from("items")
      .select()
      .setHeader("Authorization", "Bearer a.b");
    expect([status, error?.code]).toEqual([401, "PGRST301"]);
  });

  test("auth/v1 is where it lives", async () => {
    const { status, body } = await testServer.request("GET", "/health");
    expect([status, body.name]).toEqual([200, "GoTrue"]);
  });
});
