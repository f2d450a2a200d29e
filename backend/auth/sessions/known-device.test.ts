import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type AuthTestServer, linkIn, openAuth, PASSWORD } from "#tests/helpers/auth/auth-server.ts";

const guard = { proofSeconds: 600, undoPage: "http://site.test/auth" };
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

let own: AuthTestServer;

beforeAll(async () => {
  own = await openAuth({ accountGuard: guard });
});
beforeEach(() => {
  own.mails.length = 0;
});
afterAll(() => own.close());

const markOf = (letter: string) => letter.repeat(32);

async function open(
  path: string,
  email: string,
  headers: Record<string, string>,
  server = own,
): Promise<Record<string, unknown>> {
  const body = { email, password: PASSWORD };
  const answer = await server.request("POST", path, { body, headers });
  expect(answer.status).toBe(200);
  return answer.body;
}

const signUp = (email: string, headers: Record<string, string>, server = own) =>
  open("/signup", email, headers, server);
const signIn = (email: string, headers: Record<string, string>, server = own) =>
  open("/token?grant_type=password", email, headers, server);
const known = async (email: string) =>
  own.query(
    "select device_hash from backend.known_devices join auth.users on id = user_id where email = $1",
    [email],
  );

test("a sign-in from a second browser is mailed with a way back; the first sign-in and known browsers are not", async () => {
  const email = "ann@example.org";
  const first = { "x-browser-mark": markOf("a"), "user-agent": firefox };
  const second = { ...first, "x-browser-mark": markOf("b") };
  const { access_token: token } = await signUp(email, first);
  await signIn(email, first);
  // Signing out forgets no device.
  await own.request("POST", "/logout", { token: String(token), headers: first });
  await signIn(email, first);
  await signIn(email, second);
  const mail = await own.mailTo(email);
  expect(mail.subject).toBe("A new device signed in to your account at Harbor");
  expect(mail.text).toMatch(/was signed in to on \w{3} \d+, \d{4}.* UTC, from a device or browser/);
  expect(linkIn(mail).href).toMatch(/^http:\/\/site\.test\/auth#way_back=/);
  await signIn(email, second);
  await signIn(email, { ...first, "x-browser-mark": markOf("c") });
  await own.mailTo(email, 2);
  expect(own.mails).toHaveLength(2);
});

test("a client without a device mark is recognized by its kind, in any release", async () => {
  const email = "bob@example.org";
  await signUp(email, { "user-agent": firefox });
  await signIn(email, { "user-agent": firefox.replaceAll("140", "141"), "x-browser-mark": "<short>" });
  await signIn(email, { "user-agent": "curl/8.5.0" });
  await own.mailTo(email);
  await signIn(email, { "user-agent": "curl/8.6.0" });
  await signIn(email, {});
  await own.mailTo(email, 2);
  expect(own.mails).toHaveLength(2);
});

test("a mailed link is not a device, and does not make the browser that opened it a new one", async () => {
  const email = "lin@example.org";
  const headers = { "x-browser-mark": markOf("l"), "user-agent": firefox };
  const { data } = await own.server.auth.admin.createUser({ email, password: PASSWORD, email_confirm: true });
  await own.visitor().auth.signInWithOtp({ email });
  const { pathname, search } = linkIn(await own.mailTo(email));
  await own.raw("GET", `${pathname.replace("/auth/v1", "")}${search}`, { headers });
  expect(await own.query("select from auth.sessions where user_id = $1", [data.user?.id])).toHaveLength(1);
  await signIn(email, headers);
  await signIn(email, { ...headers, "x-browser-mark": markOf("m") });
  expect((await own.mailTo(email, 2)).subject).toMatch(/^A new device/);
  expect(own.mails).toHaveLength(2);
});

test("device marks are stored as hashes that differ between accounts, up to 50 per account, and deleted with it", async () => {
  const headers = { "x-browser-mark": markOf("d") };
  await signUp("cat@example.org", headers);
  await signUp("dan@example.org", headers);
  const [cat] = await known("cat@example.org");
  const [dan] = await known("dan@example.org");
  expect(cat?.device_hash).not.toBe(dan?.device_hash);
  await own.query(`
    insert into backend.known_devices (user_id, device_hash, last_seen_at)
    select id, encode(sha256(number::text::bytea), 'hex'), now() - number * interval '1 day'
    from auth.users, generate_series(1, 49) as number where email = 'cat@example.org'`);
  await signIn("cat@example.org", { "x-browser-mark": markOf("e") });
  expect(await known("cat@example.org")).toHaveLength(50);
  expect(await known("cat@example.org")).toContainEqual(cat);
  await own.query("delete from auth.users where email = 'cat@example.org'");
  const left = await own.query(
    "select from backend.known_devices where not exists (select from auth.users where id = user_id)",
  );
  expect(left).toEqual([]);
});

test("signing in with ever new device marks sends the owner at most five mails a day", async () => {
  const email = "eve@example.org";
  await signUp(email, {});
  for (const letter of "abcdefg") await signIn(email, { "x-browser-mark": markOf(letter) });
  const counted =
    "select points from backend.rate_limits where key like 'accountDeviceNotice:%' order by points desc";
  await vi.waitFor(async () =>
    expect(Number((await own.query(counted))[0]?.points)).toBeGreaterThanOrEqual(5),
  );
  await own.mailTo(email, 5);
  expect(own.mails).toHaveLength(5);
  expect(own.logged).toEqual([]);
});

test("no device is stored if the notice is switched off", async () => {
  const silent = await openAuth({ accountGuard: guard, notifications: { device: false } });
  await signUp("fay@example.org", {}, silent);
  await signIn("fay@example.org", { "x-browser-mark": markOf("a") }, silent);
  expect(await silent.query("select from backend.known_devices")).toEqual([]);
  expect(silent.mails).toEqual([]);
  await silent.close();
});
