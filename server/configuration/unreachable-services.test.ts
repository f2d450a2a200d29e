import { createServer, type RequestListener } from "node:http";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { freePort } from "#tests/helpers/free-port.ts";
import { listen } from "#tests/helpers/listen.ts";
import { catchMails } from "#tests/helpers/mail-catcher.ts";
import { readConfig } from "./config.ts";
import { findUnreachable } from "./unreachable-services.ts";

const stack = new AsyncDisposableStack();
beforeAll(() => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "an id");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "a secret");
});
afterAll(() => stack.disposeAsync());

/** The address of a server that answers so. */
async function serve(answer: RequestListener): Promise<string> {
  const { url, close } = await listen(createServer(answer));
  stack.defer(close);
  return url;
}

/** An address at which nobody listens. */
const nowhere = async () => `http://127.0.0.1:${await freePort()}`;

const findHosted = (url: string) =>
  findUnreachable(readConfig({ SUPABASE_URL: url, SUPABASE_ANON_KEY: "the key" }));
const findS3 = (endpoint: string) =>
  findUnreachable(readConfig({ S3_BUCKET: "files", S3_ENDPOINT: endpoint }));

const s3Answers = (status: number, code: string) =>
  serve((_, response) => {
    response.writeHead(status, { "content-type": "application/xml" });
    response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>so it is</Message></Error>`);
  });

test("a site with everything on this machine asks nobody", async () => {
  expect(await findUnreachable(readConfig({}))).toEqual([]);
});

test("a backend elsewhere is fine if it answers, and else named with the reason", async () => {
  const keys: unknown[] = [];
  const fine = await serve(({ headers, url }, response) => {
    keys.push([url, headers.apikey]);
    response.end("{}");
  });
  expect(await findHosted(fine)).toEqual([]);
  expect(keys).toEqual([["/auth/v1/health", "the key"]]);
  const away = await nowhere();
  expect(await findHosted(away)).toEqual([
    `SUPABASE_URL: ${away} does not work now (ECONNREFUSED): until it does, only pages kept in memory are shown, and nobody can sign in.`,
  ]);
  const refusing = await serve((_, response) => response.writeHead(401).end());
  expect(await findHosted(refusing)).toEqual([expect.stringContaining("(SUPABASE_ANON_KEY is refused)")]);
  const failing = await serve((_, response) => response.writeHead(503).end());
  expect(await findHosted(failing)).toEqual([expect.stringContaining("(it answers 503)")]);
});

test("an S3 server is fine if it knows the bucket and the key, and else named with the reason", async () => {
  expect(await findS3(await s3Answers(404, "NoSuchKey"))).toEqual([]);
  expect(await findS3(await s3Answers(403, "AccessDenied"))).toEqual([]);
  const away = await nowhere();
  expect(await findS3(away)).toEqual([
    `S3_BUCKET: files at ${away} does not work now (ECONNREFUSED): until it does, files can be neither uploaded nor read.`,
  ]);
  for (const code of ["NoSuchBucket", "InvalidAccessKeyId", "SignatureDoesNotMatch"])
    expect(await findS3(await s3Answers(code === "NoSuchBucket" ? 404 : 403, code))).toEqual([
      expect.stringContaining(`(${code})`),
    ]);
});

test("a mail server is fine if it lets the site in, and else named with the reason, never with its password", async () => {
  const server = await catchMails();
  stack.defer(server.close);
  const findMail = (url: string) => findUnreachable(readConfig({ SMTP_URL: url }));
  expect(await findMail(`${server.url}?ignoreTLS=true`)).toEqual([]);
  expect(server.mails).toEqual([]);
  const host = `127.0.0.1:${await freePort()}`;
  expect(await findMail(`smtp://harbor:a-secret@${host}`)).toEqual([
    `SMTP_URL: ${host} does not work now (ECONNREFUSED): until it does, mails wait, each for up to a day.`,
  ]);
  const refusing = await catchMails({ guard: { user: "harbor", password: "another" } });
  stack.defer(refusing.close);
  expect(await findMail(`smtp://harbor:a-secret@127.0.0.1:${refusing.port}?ignoreTLS=true`)).toEqual([
    expect.stringContaining("(EAUTH)"),
  ]);
});
