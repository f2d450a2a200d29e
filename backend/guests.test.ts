import { afterAll, beforeAll, expect, test } from "vitest";
import { signToken } from "#backend/tokens/sign-token.ts";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { type Backend, createBackend } from "./backend.ts";
import { connectDatabase } from "./postgres/database.ts";

const jwtSecret = "a secret of guests that is long enough";
let own: Awaited<ReturnType<typeof createTestDatabase>>;
let backend: Backend;
let keys: { anon: string; service_role: string };

beforeAll(async () => {
  own = await createTestDatabase({ empty: true });
  const owner = connectDatabase({ url: own.url });
  await owner.query("create function public.nap() returns void language sql as 'select pg_sleep(0.5)'");
  await owner.query("grant usage on schema public to anon, service_role");
  await owner.close();
  const key = (role: string) => signToken({ role }, jwtSecret);
  keys = { anon: await key("anon"), service_role: await key("service_role") };
  backend = await createBackend({
    databaseUrl: own.authenticatorUrl,
    databaseConnections: 3,
    jwtSecret,
  });
});
afterAll(async () => {
  await backend.close();
  await own.drop();
});

const nap = (role: keyof typeof keys, remoteAddress?: string) =>
  backend
    .handle({
      method: "POST",
      url: "/rest/v1/rpc/nap",
      headers: { apikey: keys[role] },
      body: null,
      remoteAddress,
    })
    .then(({ status }) => status);

test("a crowd of visitors leaves connections to those who have a token, and to the site itself", async () => {
  await nap("service_role");
  const done: string[] = [];
  const crowd = Array.from({ length: 4 }, () =>
    nap("anon", "192.0.2.1").then((status) => done.push(`visitor ${status}`)),
  );
  const others = [nap("service_role", "192.0.2.2"), nap("anon")].map((asked, index) =>
    asked.then((status) => done.push(`${["server", "site"][index]} ${status}`)),
  );
  await Promise.all([...crowd, ...others]);
  // Each takes half a second; one connection is for visitors, so the last three of them come after everybody else.
  expect(done.slice(0, 3).sort()).toEqual(["server 204", "site 204", "visitor 204"]);
  expect(done.slice(3)).toEqual(["visitor 204", "visitor 204", "visitor 204"]);
});
