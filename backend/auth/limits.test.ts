import { TOTP } from "otpauth";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AuthHarbour, openAuth, PASSWORD } from "#tests/helpers/auth/auth-harbour.ts";

let harbour: AuthHarbour;
const addressHeader = "x-visitor";

beforeAll(async () => {
  const { defaultAuthConfig } = await import("./auth-defaults.ts");
  const limits = { ...defaultAuthConfig.limits, accountSignIn: { points: 20, seconds: 3600 } };
  harbour = await openAuth({ addressHeader, limits });
  await harbour.visitor().auth.signUp({ email: "ann@example.org", password: PASSWORD });
});
afterAll(() => harbour.close());

const signIn = (password: string, address: string, email = "ann@example.org") =>
  harbour.request("POST", "/token?grant_type=password", {
    body: { email, password },
    headers: { [addressHeader]: address },
  });

test("after ten wrong passwords from one address the right one has to wait there, and nowhere else", async () => {
  for (let i = 0; i < 10; i++) expect((await signIn("wrong", "192.0.2.1")).status).toBe(400);
  const refused = await signIn(PASSWORD, "192.0.2.1");
  expect(refused).toMatchObject({
    status: 429,
    body: { error_code: "over_request_rate_limit", msg: "Request rate limit reached" },
  });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(200);
  expect((await signIn(PASSWORD, "192.0.2.2")).status).toBe(200);
});

test("tries from many networks shut out strangers, and nobody who signed in from where they are", async () => {
  await harbour.visitor().auth.signUp({ email: "mo@example.org", password: PASSWORD });
  const at = (network: string, password = "wrong") => signIn(password, network, "mo@example.org");
  expect((await at("198.51.100.1", PASSWORD)).status).toBe(200);
  for (let i = 0; i < 10; i++) for (let n = 10; n < 13; n++) await at(`198.51.100.${n}`);
  expect((await at("198.51.100.2", PASSWORD)).status).toBe(429);
  expect((await at("198.51.100.1", PASSWORD)).status).toBe(200);
  expect((await at("198.51.100.2", PASSWORD)).status).toBe(200);
});

test("a right password ends the counting of the wrong ones", async () => {
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 6; i++) await signIn("wrong", "192.0.2.3");
    expect((await signIn(PASSWORD, "192.0.2.3")).status).toBe(200);
  }
});

test("many right passwords of one person at once all open", async () => {
  await harbour.visitor().auth.signUp({ email: "lee@example.org", password: PASSWORD });
  const tries = Array.from({ length: 8 }, () => signIn(PASSWORD, "192.0.2.8", "lee@example.org"));
  expect((await Promise.all(tries)).map(({ status }) => status)).toEqual(Array(8).fill(200));
});

test("one address tries thirty times, whomever it tries; another one is not touched", async () => {
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

test("only the proxy's own entry names the visitor", async () => {
  const claim = (i: number) => signIn("wrong", `203.0.113.${i}, 192.0.2.6`, `claimed${i}@example.org`);
  for (let i = 0; i < 30; i++) await claim(i);
  expect((await claim(31)).status).toBe(429);
});

test("strangers use up a second factor's tries, but not where a code of its owner's was right before", async () => {
  const owner = harbour.visitor();
  const { data } = await owner.auth.signUp({ email: "two@example.org", password: PASSWORD });
  const token = data.session?.access_token ?? "";
  const { data: factor } = await owner.auth.mfa.enroll({ factorType: "totp" });
  const totp = new TOTP({ secret: factor?.totp.secret ?? "" });
  const answer = async (network: string, code: string, bearer = token) => {
    const headers = { [addressHeader]: network };
    const path = `/factors/${factor?.id}`;
    const challenge = await harbour.request("POST", `${path}/challenge`, { token: bearer, headers });
    const body = { challenge_id: challenge.body.id, code };
    return harbour.request("POST", `${path}/verify`, { token: bearer, headers, body });
  };
  expect((await answer("198.51.100.30", totp.generate())).status).toBe(200);
  const half = async (network: string) => (await signIn(PASSWORD, network, "two@example.org")).body;
  const stolen = (await half("198.51.100.31")).access_token as string;
  expect((await answer("198.51.100.31", "abcdef", stolen)).status).toBe(422);
  await harbour.query("update auth.rate_limits set points = 50 where key like 'accountFactorDay:%'");
  const later = totp.generate({ timestamp: Date.now() + 30_000 });
  expect((await answer("198.51.100.32", later, stolen)).status).toBe(429);
  const own = (await half("198.51.100.30")).access_token as string;
  expect((await answer("198.51.100.30", later, own)).status).toBe(200);
});

test("the counters name neither people nor machines", async () => {
  const rows = await harbour.query("select key from auth.rate_limits");
  expect(rows.length).toBeGreaterThan(5);
  expect(JSON.stringify(rows)).not.toMatch(/example\.org|192\.0\.2|203\.0\.113/);
});

test("sign-in works as long for an unknown address as for a known one", async () => {
  const patient = await openAuth({ limits: await unlimited() });
  await patient.visitor().auth.signUp({ email: "ann@example.org", password: PASSWORD });
  // The processor's time, since the clock's is everybody's on a busy machine.
  const workFor = async (email: string) => {
    const start = process.cpuUsage();
    await patient.request("POST", "/token?grant_type=password", { body: { email, password: "wrong" } });
    const { user, system } = process.cpuUsage(start);
    return user + system;
  };
  const times: Record<string, number[]> = { "ann@example.org": [], "nobody@example.org": [] };
  const emails = Object.keys(times);
  for (let i = 0; i < 30; i++) {
    // Each goes first as often as second: the machine's other work hits both.
    for (const email of i % 2 ? emails : emails.toReversed()) times[email]?.push(await workFor(email));
  }
  const [known, unknown] = Object.values(times).map((list) => Math.min(...list)) as [number, number];
  await patient.close();
  // The quickest of each: whatever else the machine does only adds. Without the same work one takes a tenth of the other.
  expect(Math.abs(known - unknown) / known).toBeLessThan(0.2);
});

async function unlimited() {
  const { defaultAuthConfig } = await import("./auth-defaults.ts");
  const limits = Object.entries(defaultAuthConfig.limits).map(([action]) => [
    action,
    { points: 1_000_000, seconds: 60 },
  ]);
  return Object.fromEntries(limits) as typeof defaultAuthConfig.limits;
}
