import { createServer } from "node:http";
import { afterAll, expect, test } from "vitest";
import { listen } from "#tests/helpers/listen.ts";
import { createProviderFetch } from "./provider-fetch.ts";

const server = createServer(({ url }, response) => {
  if (url === "/moved") response.writeHead(302, { location: "/" }).end();
  else if (url === "/endless") response.end("x".repeat(600_000));
  else response.writeHead(200, { "content-type": "application/json" }).end('{"here":true}');
});
const { port, close } = await listen(server);
afterAll(close);

const trusting = createProviderFetch({ publicOnly: false });
const wary = createProviderFetch({ publicOnly: true });

test("a provider's response is read up to a limit, and redirects are not followed", async () => {
  expect(await (await trusting(`http://localhost:${port}/`)).json()).toEqual({ here: true });
  expect((await trusting(`http://localhost:${port}/moved`)).status).toBe(302);
  await expect(trusting(`http://localhost:${port}/endless`)).rejects.toThrow("too long");
});

test.each([
  "127.0.0.1",
  "localhost",
  "[::1]",
  "[::ffff:127.0.0.1]",
  "10.0.0.1",
  "169.254.169.254",
  "0.0.0.0",
])("no request is sent to %s for a provider that the operator did not configure", async (host) => {
  await expect(wary(`http://${host}:${port}/`)).rejects.toThrow("not a public one");
});
