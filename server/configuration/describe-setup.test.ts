import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { describeSetup } from "./describe-setup.ts";

const setupOf = (env: Record<string, string>) => describeSetup(readConfig({ WORKERS: "1", ...env }));

test("nothing set: an embedded database, no address, no mail, secrets of the site's own making", () => {
  expect(setupOf({})).toEqual({
    siteAddress: "placeholder",
    database: "embedded",
    mailArrives: false,
    contactArrives: false,
    knowsVisitors: false,
    sharesFiles: false,
    weakSecrets: [],
    processes: 1,
  });
});

test("what is set shows", () => {
  const env = {
    SITE_URL: "https://values.example",
    DATABASE_URL: "postgres://a:b@c/d",
    SMTP_URL: "smtps://a:b@mail.example:465",
    CONTACT_EMAIL: "hello@values.example",
    CLIENT_ADDRESS_HEADER: "x-real-ip",
    S3_BUCKET: "files",
  };
  expect(setupOf(env)).toMatchObject({
    siteAddress: "https",
    database: "own",
    mailArrives: true,
    contactArrives: true,
    knowsVisitors: true,
    sharesFiles: true,
  });
  expect(setupOf({ SITE_URL: "http://values.example" }).siteAddress).toBe("http");
});

test("a secret out of a handbook is told by its variable's name, a random one is none", () => {
  const random = randomBytes(32).toString("base64url");
  const known = "super-secret-jwt-token-with-at-least-32-characters-long";
  expect(setupOf({ JWT_SECRET: random, SEALING_KEY: random }).weakSecrets).toEqual([]);
  expect(setupOf({ JWT_SECRET: known, SEALING_KEY: `${random},${"ab".repeat(20)}` }).weakSecrets).toEqual([
    "JWT_SECRET",
    "SEALING_KEY",
  ]);
});
