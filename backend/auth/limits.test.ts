import { hash as argon2 } from "@node-rs/argon2";
import { hash as bcrypt } from "@node-rs/bcrypt";
import { TOTP } from "otpauth";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AuthTestServer, codeIn, openAuth, PASSWORD } from "#tests/helpers/auth/auth-server.ts";

let testServer: AuthTestServer;
const addressHeader = "x-visitor";

beforeAll(async () => {
  const { defaultAuthConfig } = await import("./service/auth-config.ts");
  const limits = {
    ...defaultAuthConfig.limits,
    accountSignIn: { points: 20, seconds: 3600 },
    accountChange: { points: 25, seconds: 3600 },
    refresh: { points: 5, seconds: 300 },
  };
  testServer = await openAuth({ addressHeader, limits });
  await testServer.visitor().auth.signUp({ email: "ann@example.org", password: PASSWORD });
});
afterAll(() => testServer.close());

const signIn = (password: string, address: string, email = "ann@example.org") =>
  testServer.request("POST", "/token?grant_type=password", {
    body: { email, password },
    headers: { [addressHeader]: address },
  });

test("after ten wrong passwords from one address, the right one is refused there and nowhere else", async () => {
  for (let i = 0; i < 10; i++) expect((await signIn("wrong", "192.0.2.1")).status).toBe(400);
  const refused = await signIn(PASSWORD, "192.0.2.1");
  expect(refused).toMatchObject({
    status: 429,
    body: { error_code: "over_request_rate_limit", msg: "Request rate limit reached" },
  });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(200);
  expect((await signIn(PASSWORD, "192.0.2.2")).status).toBe(200);
});

test("attempts from many networks lock out strangers, but not users on a known network", async () => {
  await testServer.visitor().auth.signUp({ email: "mo@example.org", password: PASSWORD });
  const at = (network: string, password = "wrong") => signIn(password, network, "mo@example.org");
  expect((await at("198.51.100.1", PASSWORD)).status).toBe(200);
  for (let i = 0; i < 10; i++) for (let n = 10; n < 13; n++) await at(`198.51.100.${n}`);
  expect((await at("198.51.100.2", PASSWORD)).status).toBe(429);
  expect((await at("198.51.100.1", PASSWORD)).status).toBe(200);
  expect((await at("198.51.100.2", PASSWORD)).status).toBe(200);
});

test("a session that refreshes endlessly is limited, without affecting others behind its address", async () => {
  const headers = { [addressHeader]: "192.0.2.9" };
  const refresh = (refresh_token: unknown) =>
    testServer.request("POST", "/token?grant_type=refresh_token", { body: { refresh_token }, headers });
  const [wild, calm] = await Promise.all([signIn(PASSWORD, "192.0.2.9"), signIn(PASSWORD, "192.0.2.9")]);
  let last = wild;
  for (let i = 0; i < 5; i++) last = await refresh(last.body.refresh_token);
  expect(last.status).toBe(200);
  expect(await refresh(last.body.refresh_token)).toMatchObject({
    status: 429,
    body: { error_code: "over_request_rate_limit" },
  });
  // Made-up tokens count per address, and do not affect sessions behind it.
  for (let i = 0; i < 5; i++) expect((await refresh("made-up")).status).toBe(400);
  expect((await refresh("made-up")).status).toBe(429);
  expect((await refresh(calm.body.refresh_token)).status).toBe(200);
});

test("an account's changes are limited in each network, whatever is changed, but never its log-out", async () => {
  const [wild, calm] = await Promise.all([signIn(PASSWORD, "192.0.2.20"), signIn(PASSWORD, "192.0.2.21")]);
  const ask = (method: string, path: string, address: string, body?: object) =>
    testServer.request(method, path, {
      token: (address === "192.0.2.21" ? calm : wild).body.access_token as string,
      headers: { [addressHeader]: address },
      ...(body && { body }),
    });
  const change = (address: string) => ask("PUT", "/user", address, { data: { theme: "dark" } });
  for (let i = 0; i < 25; i++) expect((await change("192.0.2.20")).status).toBe(200);
  for (const [method, path] of [
    ["PUT", "/user"],
    ["POST", "/factors"],
    ["DELETE", "/factors/00000000-0000-4000-8000-000000000000"],
  ] as const) {
    expect(await ask(method, path, "192.0.2.20", {}), path).toMatchObject({
      status: 429,
      body: { error_code: "over_request_rate_limit" },
    });
  }
  expect((await ask("GET", "/user", "192.0.2.20")).status).toBe(200);
  expect((await change("192.0.2.21")).status).toBe(200);
  expect((await ask("POST", "/logout?scope=local", "192.0.2.20")).status).toBe(204);
});

test("a right password resets the count of wrong ones", async () => {
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 6; i++) await signIn("wrong", "192.0.2.3");
    expect((await signIn(PASSWORD, "192.0.2.3")).status).toBe(200);
  }
});

test("many concurrent sign-ins of one user all succeed", async () => {
  await testServer.visitor().auth.signUp({ email: "lee@example.org", password: PASSWORD });
  const tries = Array.from({ length: 8 }, () => signIn(PASSWORD, "192.0.2.8", "lee@example.org"));
  expect((await Promise.all(tries)).map(({ status }) => status)).toEqual(Array(8).fill(200));
});

test("one address gets thirty attempts across all accounts; another one is not affected", async () => {
  for (let i = 0; i < 30; i++) await signIn("wrong", "192.0.2.4", `person${i}@example.org`);
  expect((await signIn("wrong", "192.0.2.4", "last@example.org")).status).toBe(429);
  expect((await signIn("wrong", "192.0.2.5", "last@example.org")).status).toBe(400);
});

test("a subscriber's IPv6 network counts as one, however many addresses it has", async () => {
  const from = (address: string, i: number) => signIn("wrong", address, `six${i}@example.org`);
  for (let i = 0; i < 30; i++) await from(`2001:db8:0:7::${(i + 1).toString(16)}`, i);
  expect((await from("2001:db8:0:7:ffff::1", 30)).status).toBe(429);
  expect((await from("2001:db8:0:8::1", 31)).status).toBe(400);
  expect((await from("::ffff:192.0.2.7", 32)).status).toBe(400);
});

test("only the proxy's own entry determines the client's address", async () => {
  const claim = (i: number) => signIn("wrong", `203.0.113.${i}, 192.0.2.6`, `claimed${i}@example.org`);
  for (let i = 0; i < 30; i++) await claim(i);
  expect((await claim(31)).status).toBe(429);
});

test("strangers can exhaust a second factor's attempts, but not for its owner on a known network", async () => {
  const owner = testServer.visitor();
  const { data } = await owner.auth.signUp({ email: "two@example.org", password: PASSWORD });
  const token = data.session?.access_token ?? "";
  const { data: factor } = await owner.auth.mfa.enroll({ factorType: "totp" });
  const totp = new TOTP({ secret: factor?.totp.secret ?? "" });
  const answer = async (network: string, code: string, bearer = token) => {
    const headers = { [addressHeader]: network };
    const path = `/factors/${factor?.id}`;
    const challenge = await testServer.request("POST", `${path}/challenge`, { token: bearer, headers });
    const body = { challenge_id: challenge.body.id, code };
    return testServer.request("POST", `${path}/verify`, { token: bearer, headers, body });
  };
  expect((await answer("198.51.100.30", totp.generate())).status).toBe(200);
  const half = async (network: string) => (await signIn(PASSWORD, network, "two@example.org")).body;
  const stolen = (await half("198.51.100.31")).access_token as string;
  expect((await answer("198.51.100.31", "abcdef", stolen)).status).toBe(422);
  await testServer.query("update backend.rate_limits set points = 50 where key like 'accountFactorDay:%'");
  const later = totp.generate({ timestamp: Date.now() + 30_000 });
  expect((await answer("198.51.100.32", later, stolen)).status).toBe(429);
  const own = (await half("198.51.100.30")).access_token as string;
  expect((await answer("198.51.100.30", later, own)).status).toBe(200);
});

test("strangers can exhaust an address's mails, but not for its user, signed in or on a known network", async () => {
  const email = "mailed@example.org";
  const recover = (network: string) =>
    testServer.request("POST", "/recover", { body: { email }, headers: { [addressHeader]: network } });
  const { data } = await testServer.visitor().auth.signUp({ email, password: PASSWORD });
  expect((await recover("198.51.100.40")).status).toBe(200);
  await testServer.query("update backend.rate_limits set points = 50 where key like 'accountSendDay:%'");
  expect((await recover("198.51.100.41")).status).toBe(429);
  const token = data.session?.access_token ?? "";
  expect((await testServer.request("GET", "/reauthenticate", { token })).status).toBe(200);

  expect((await signIn(PASSWORD, "198.51.100.42", email)).status).toBe(200);
  expect((await recover("198.51.100.42")).status).toBe(200);
  expect((await recover("198.51.100.42")).status, "which has the same limits").toBe(429);
  const headers = { [addressHeader]: "198.51.100.43" };
  const body = { type: "recovery", email, token: codeIn(await testServer.mailTo(email, 3)) };
  expect((await testServer.request("POST", "/verify", { body, headers })).status).toBe(200);
  expect((await recover("198.51.100.43")).status, "known by a mailed code").toBe(200);
  const moved = { body: { email: "moved@example.org" }, token };
  expect((await testServer.request("PUT", "/user", moved)).status, "with the code from before").toBe(200);
});

test("the counters' keys contain neither email nor network addresses", async () => {
  const rows = await testServer.query("select key from backend.rate_limits");
  expect(rows.length).toBeGreaterThan(5);
  expect(JSON.stringify(rows)).not.toMatch(/example\.org|192\.0\.2|203\.0\.113/);
});

test("a hundred refused sign-ins log one line, without personal data", async () => {
  for (let i = 0; i < 110; i++) await signIn("wrong", "192.0.2.99", "burst@example.org");
  const lines = testServer.logged.filter((line) => line.includes("sign-ins failed"));
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toMatch(/192\.0\.2|example\.org/);
});

test("new accounts per network have a daily limit at all endpoints, and known addresses are refused alike", async () => {
  const { defaultAuthConfig } = await import("./service/auth-config.ts");
  const limits = { ...defaultAuthConfig.limits, signUpDay: { points: 2, seconds: 86_400 } };
  const small = await openAuth({ addressHeader, limits, mailerAutoconfirm: false });
  await small.server.auth.admin.createUser({ email: "known@example.org", email_confirm: true });
  const ask = (path: string, email: string, address: string) =>
    small.request("POST", path, {
      body: { email, password: PASSWORD },
      headers: { [addressHeader]: address },
    });
  for (const [path, email] of [
    ["/otp", "one@example.org"],
    ["/signup", "two@example.org"],
  ] as const) {
    expect((await ask(path, email, "192.0.2.1")).status).toBe(200);
    await small.mailTo(email);
  }
  for (const path of ["/otp", "/signup"]) {
    for (const email of ["three@example.org", "known@example.org"]) {
      expect(await ask(path, email, "192.0.2.1")).toMatchObject({
        status: 429,
        body: { msg: "Too many new accounts from this network today" },
      });
    }
  }
  expect((await ask("/otp", "four@example.org", "192.0.2.2")).status).toBe(200);
  await small.mailTo("four@example.org");
  expect(await small.query("select from auth.users")).toHaveLength(4);
  await small.close();
});

test("a network's remaining daily accounts do not reveal which addresses have one", async () => {
  const { defaultAuthConfig } = await import("./service/auth-config.ts");
  const limits = { ...defaultAuthConfig.limits, signUpDay: { points: 1, seconds: 86_400 } };
  const small = await openAuth({ addressHeader, limits, mailerAutoconfirm: false });
  await small.server.auth.admin.createUser({ email: "known@example.org", email_confirm: true });
  for (const [email, address] of [
    ["known@example.org", "192.0.2.1"],
    ["unknown@example.org", "192.0.2.2"],
  ] as const) {
    const headers = { [addressHeader]: address };
    expect((await small.request("POST", "/otp", { body: { email }, headers })).status).toBe(200);
    await small.mailTo(email);
    const body = { email: `later-than-${email}`, password: PASSWORD };
    expect((await small.request("POST", "/signup", { body, headers })).status).toBe(429);
  }
  await small.close();
});

test("sign-in takes as long for an unknown address as for a known one, with any kind of hash", {
  timeout: 60_000,
}, async () => {
  const patient = await openAuth({ limits: await unlimited() });
  await patient.visitor().auth.signUp({ email: "ann@example.org", password: PASSWORD });
  for (const [email, hash] of [
    ["brought@example.org", await bcrypt(PASSWORD, 7)],
    ["older@example.org", await argon2(PASSWORD, { memoryCost: 8_192, timeCost: 1, parallelism: 1 })],
    ["disabled@example.org", "!"],
  ]) {
    await patient.server.auth.admin.createUser({ email, email_confirm: true });
    await patient.query("update auth.users set encrypted_password = $2 where email = $1", [email, hash]);
  }
  // CPU time, since wall-clock time includes the machine's other work.
  const workFor = async (email: string) => {
    const start = process.cpuUsage();
    await patient.request("POST", "/token?grant_type=password", { body: { email, password: "wrong" } });
    const { user, system } = process.cpuUsage(start);
    return user + system;
  };
  const names = ["ann", "nobody", "brought", "older", "disabled"];
  const emails = names.map((name) => `${name}@example.org`);
  const times = new Map(emails.map((email) => [email, [] as number[]]));
  // Compares the fastest runs, since other work only adds time: more of them where there is much of it. Without
  // equalized work, one takes a quarter of the other's time.
  const spread = () => {
    const quickest = [...times.values()].map((list) => Math.min(...list));
    return Math.max(...quickest) / Math.min(...quickest);
  };
  for (let i = 0; i < 4 || (i < 40 && spread() >= 2); i++) {
    // Alternates the order, so that the machine's other work affects all alike.
    for (const email of i % 2 ? emails : emails.toReversed()) times.get(email)?.push(await workFor(email));
  }
  await patient.close();
  expect(spread()).toBeLessThan(2);
});

async function unlimited() {
  const { defaultAuthConfig } = await import("./service/auth-config.ts");
  const limits = Object.entries(defaultAuthConfig.limits).map(([action]) => [
    action,
    { points: 1_000_000, seconds: 60 },
  ]);
  return Object.fromEntries(limits) as typeof defaultAuthConfig.limits;
}
