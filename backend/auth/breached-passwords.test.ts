import { createHash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { afterAll, expect, test } from "vitest";
import { openAuth, PASSWORD } from "#tests/helpers/auth/auth-server.ts";
import { listen } from "#tests/helpers/listen.ts";
import { createBreachCheck } from "./passwords/breached-passwords.ts";

const SEEN = "tidal lantern 7 Mast!";
const hashOf = (password: string) => createHash("sha1").update(password).digest("hex").toUpperCase();

const asked: IncomingMessage[] = [];
let answers: "list" | "endless" | "fault" = "list";
const list = createServer((request, response) => {
  asked.push(request);
  if (answers === "fault") return void response.writeHead(503).end();
  if (answers === "endless") {
    const more = () => {
      while (!response.destroyed && response.write(`${"0".repeat(60_000)}\n`));
    };
    response.on("drain", more);
    return more();
  }
  // The list contains every password's suffix; only padding has a count of 0.
  response.end(`${hashOf(SEEN).slice(5)}:3\r\n${hashOf(PASSWORD).slice(5)}:0\r\n`);
});
const { url: baseUrl, close } = await listen(list);
afterAll(close);

test("a breached password is refused wherever one is chosen, and only five digits of its hash are sent", async () => {
  answers = "list";
  const own = await openAuth({ breaches: { baseUrl, userAgent: "tests", failClosed: false } });
  const { auth } = own.visitor();
  const refusal = {
    status: 422,
    code: "weak_password",
    reasons: ["pwned"],
    message: "Password is known to be weak and easy to guess, please choose a different one.",
  };
  expect((await auth.signUp({ email: "ann@example.org", password: SEEN })).error).toMatchObject(refusal);
  expect(asked.at(-1)?.url).toBe(`/range/${hashOf(SEEN).slice(0, 5)}`);
  expect(asked.at(-1)?.headers).toMatchObject({ "add-padding": "true", "user-agent": "tests" });
  expect((await auth.signUp({ email: "ann@example.org", password: PASSWORD })).error).toBe(null);
  expect((await auth.updateUser({ password: SEEN })).error).toMatchObject(refusal);
  const link = { type: "signup", email: "bea@example.org", password: SEEN } as const;
  expect((await own.server.auth.admin.generateLink(link)).error).toMatchObject(refusal);
  await own.close();
});

test("whoever signs in with a password that has become known is told, but not refused", async () => {
  answers = "fault";
  const own = await openAuth({ breaches: { baseUrl, userAgent: "tests", failClosed: false } });
  const { auth } = own.visitor();
  const account = { email: "cleo@example.org", password: SEEN };
  expect((await auth.signUp(account)).error).toBe(null);
  expect((await auth.signInWithPassword(account)).data.weakPassword).toBe(undefined);
  answers = "list";
  const { data, error } = await auth.signInWithPassword(account);
  expect([error, data.session?.user.email]).toEqual([null, account.email]);
  expect(data.weakPassword).toMatchObject({
    reasons: ["pwned"],
    message: expect.stringContaining("known to be weak"),
  });
  await own.close();
});

test("a list that does not respond is abandoned after the timeout", async () => {
  const silent = await listen(createServer(() => {}));
  const settings = { baseUrl: silent.url, userAgent: "tests" };
  const logged: string[] = [];
  const log = (line: string) => void logged.push(line);
  await createBreachCheck({ ...settings, failClosed: false }, log, 50)(SEEN);
  await expect(createBreachCheck({ ...settings, failClosed: true }, log, 50)(SEEN)).rejects.toThrow(
    /HaveIBeenPwned/,
  );
  expect(logged).toHaveLength(2);
  await silent.close();
});

test("if the list fails, passwords are accepted and one line is logged, unless it is set to fail closed", async () => {
  const open = await openAuth({ breaches: { baseUrl, userAgent: "tests", failClosed: false } });
  const closed = await openAuth({ breaches: { baseUrl, userAgent: "tests", failClosed: true } });
  for (const [index, fault] of (["fault", "endless"] as const).entries()) {
    answers = fault;
    const account = { email: `person${index}@example.org`, password: SEEN };
    expect((await open.visitor().auth.signUp(account)).error).toBe(null);
    expect((await closed.visitor().auth.signUp(account)).error).toMatchObject({
      status: 500,
      message: "Unable to perform password strength check with HaveIBeenPwned.org.",
    });
  }
  expect(open.logged.filter((line) => line.includes("list of breaches"))).toHaveLength(1);
  await open.close();
  await closed.close();
});

test("a common password is refused as such, and like names accepted if only the operator's policy applies", async () => {
  const email = "reef@example.org";
  const password = "Password1234!";
  const listed = await openAuth();
  const refused = await listed.visitor().auth.signUp({ email, password });
  expect(refused.error).toMatchObject({
    code: "weak_password",
    message: expect.stringContaining("most common ones"),
  });
  await listed.close();
  const free = await openAuth({ refuseCommonPasswords: false, ownNames: ["Harbour"] });
  const own = { [email]: password, "anna@example.org": "Anna1234", "bea@example.org": "Harbour1234" };
  for (const [address, accepted] of Object.entries(own)) {
    const taken = await free.visitor().auth.signUp({ email: address, password: accepted });
    expect(taken.error, accepted).toBe(null);
  }
  await free.close();
});
