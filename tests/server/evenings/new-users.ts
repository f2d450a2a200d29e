import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Account } from "#tests/faults/trader.ts";
import { catchMails, type MailCatcher } from "#tests/helpers/mail-catcher.ts";
import { anonymousClient } from "#tests/helpers/sign-up.ts";
import type { Machine } from "./machine.ts";

/** The mail server that the settings name, with a certificate from the machine's own CA. */
export function receiveMails(machine: Machine, folder: string): Promise<MailCatcher> {
  const tls = machine.pathOf("/etc/fruit-values");
  const [key, cert] = [join(folder, "mail.key"), join(folder, "mail.pem")];
  const authority = ["-CA", join(tls, "authority.pem"), "-CAkey", join(tls, "authority.key")];
  const names = [
    "-subj",
    "/CN=mail",
    "-addext",
    "subjectAltName=IP:127.0.0.1",
    "-addext",
    "basicConstraints=CA:FALSE",
  ];
  const files = ["-keyout", key, "-out", cert];
  const made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...authority, ...names, ...files];
  execFileSync("openssl", made, { stdio: "ignore" });
  return catchMails({
    port: machine.mailPort,
    guard: {
      key: readFileSync(key, "utf8"),
      cert: readFileSync(cert, "utf8"),
      user: "site",
      password: "password",
    },
  });
}

/** A new user signs up through the site and follows the link in the mail. */
export async function signUpByMail(site: Pick<Machine, "address">, { mails }: MailCatcher): Promise<Account> {
  const email = `mara-${crypto.randomUUID().slice(0, 8)}@example.com`;
  const client = await anonymousClient(site);
  const { data, error } = await client.auth.signUp({ email, password: "Abcdefghij1!" });
  expect(error).toBeNull();
  expect(data.session, "nobody is in before the mail").toBeNull();
  const mine = () => mails.find(({ to }) => to.includes(email))?.text ?? "";
  await expect.poll(mine, { timeout: 60_000 }).toContain("/auth/v1/verify");
  return await signInByLink(site, mine());
}

/** A user opens the link in a text and is signed in by it. */
export async function signInByLink(site: Pick<Machine, "address">, text: string): Promise<Account> {
  // The plain-text part of a mail may fold lines within the link.
  const inMail = /href="(https:[^"]+\/auth\/v1\/verify\?[^"]+)"/.exec(text)?.[1]?.replaceAll("&amp;", "&");
  const link = inMail ?? /https:\/\/\S+\/auth\/v1\/verify\?\S+/.exec(text)?.[0] ?? "no link";
  expect(link).toContain(site.address);
  const { headers } = await fetch(link, { redirect: "manual" });
  const given = new URLSearchParams(new URL(headers.get("location") ?? "").hash.slice(1));
  const client = await anonymousClient(site);
  const { data } = await client.auth.setSession({
    access_token: given.get("access_token") ?? "",
    refresh_token: given.get("refresh_token") ?? "",
  });
  if (!data.session) throw new Error(`${link} signs nobody in`);
  const { id } = data.session.user;
  const profile = await client.from("profiles").select("username").eq("id", id).single().throwOnError();
  return { id, username: profile.data.username, session: data.session };
}
