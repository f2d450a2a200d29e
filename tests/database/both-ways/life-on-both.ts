import { createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { Client } from "pg";
import { expect, onTestFinished } from "vitest";
import { readServiceSettings } from "#backend/configuration/service-settings.ts";
import { serveStandalone } from "#backend/standalone/serve-standalone.ts";
import { signToken } from "#backend/tokens/sign-token.ts";
import type { TestDatabase } from "#tests/helpers/database.ts";

export const SECRET = "a secret of at least thirty-two characters";
const PASSWORD = "harbor lights at dusk";

export async function run(url: string, text: string, values: unknown[] = []) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Only the services, configured like the originals; `folder` holds the files. */
export async function serve(database: TestDatabase, folder?: string, more: Record<string, string> = {}) {
  const files = folder ?? (await mkdtemp(join(tmpdir(), "both-ways-")));
  const lines: string[] = [];
  const settings = readServiceSettings({
    PGRST_DB_URI: database.authenticatorUrl,
    PGRST_DB_SCHEMAS: "public",
    PGRST_DB_ANON_ROLE: "anon",
    PGRST_JWT_SECRET: SECRET,
    PGRST_SERVER_HOST: "127.0.0.1",
    PGRST_SERVER_PORT: "0",
    PGRST_DB_POOL: "3",
    GOTRUE_DB_DATABASE_URL: database.authUrl,
    GOTRUE_DB_MAX_POOL_SIZE: "3",
    GOTRUE_JWT_SECRET: SECRET,
    GOTRUE_SITE_URL: "http://localhost:3000",
    GOTRUE_MAILER_AUTOCONFIRM: "true",
    API_EXTERNAL_URL: "http://localhost:9999",
    STORAGE_BACKEND: "file",
    STORAGE_FILE_BACKEND_PATH: files,
    ...more,
  });
  const backend = await serveStandalone(settings, (line) => lines.push(line));
  let isOpen = true;
  const close = async () => {
    if (isOpen) await backend.close();
    isOpen = false;
  };
  onTestFinished(close);
  onTestFinished(() => rm(files, { recursive: true, force: true }));
  const options = { auth: { persistSession: false, autoRefreshToken: false } };
  const key = (role: string) => signToken({ role }, SECRET);
  const admin = createClient(backend.url, await key("service_role"), options);
  const anonKey = await key("anon");
  return { admin, person: () => createClient(backend.url, anonKey, options), lines, files, close };
}

type Served = Awaited<ReturnType<typeof serve>>;

function codeOf(totpSecret: string): string {
  const bits = [...totpSecret].map((sign) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(sign));
  const text = bits.map((bit) => bit.toString(2).padStart(5, "0")).join("");
  const key = Buffer.from((text.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const mac = createHmac("sha1", key).update(counter).digest();
  const at = (mac[19] as number) & 15;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

/** Policies that only an owner of the tables can create. */
export const POLICIES = `
  create table public.boats (id int primary key, owner uuid not null default auth.uid(), name text not null);
  alter table public.boats enable row level security;
  grant all on public.boats to authenticated;
  create policy "Own boats" on public.boats to authenticated using (owner = auth.uid());
  create policy "Own folder" on storage.objects to authenticated
    using ((storage.foldername(name))[1] = auth.uid()::text)
    with check ((storage.foldername(name))[1] = auth.uid()::text)`;

/** Signs up, signs in again, refreshes, adds a second factor, stores a row and a file: everything a user can have. */
export async function live({ admin, person }: Served, email: string) {
  const client = person();
  const made = await client.auth.signUp({ email, password: PASSWORD });
  expect(made.error).toBeNull();
  const id = made.data.user?.id as string;
  expect((await client.auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
  expect((await client.auth.refreshSession()).error).toBeNull();
  const factor = await client.auth.mfa.enroll({ factorType: "totp" });
  expect(factor.error).toBeNull();
  const { id: factorId = "", totp } = factor.data as { id: string; totp: { secret: string } };
  expect(
    (await client.auth.mfa.challengeAndVerify({ factorId, code: codeOf(totp.secret) })).error,
  ).toBeNull();
  await admin.storage.createBucket("papers");
  const papers = client.storage.from("papers");
  expect((await papers.upload(`${id}/log.txt`, "sails set", { contentType: "text/plain" })).error).toBeNull();
  expect((await papers.upload("elsewhere/log.txt", "sails set")).error).not.toBeNull();
  expect((await client.from("boats").insert({ id: 1, name: "Argo" })).error).toBeNull();
  return { client, id, totpSecret: totp.secret, factorId };
}

/** Expects all of a user's data to be there, accessible with the old credentials. */
export async function expectToFind(served: Served, email: string, had: Awaited<ReturnType<typeof live>>) {
  const client = served.person();
  const { data, error } = await client.auth.signInWithPassword({ email, password: PASSWORD });
  expect(error).toBeNull();
  expect(data.user?.id).toBe(had.id);
  expect(data.user?.factors).toMatchObject([{ id: had.factorId, status: "verified" }]);
  expect((await client.from("boats").select("name")).data).toEqual([{ name: "Argo" }]);
  const listed = await client.storage.from("papers").list(had.id);
  expect(listed.data?.map(({ name }) => name)).toEqual(["log.txt"]);
  const file = await client.storage.from("papers").download(`${had.id}/log.txt`);
  expect(await file.data?.text()).toBe("sails set");
  expect((await served.person().storage.from("papers").list(had.id)).data).toEqual([]);
}
