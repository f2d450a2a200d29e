import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import { Client } from "pg";
import type { MailMessage } from "#backend/auth/messages/mailer.ts";
import { type BackendOptions, createBackend } from "#backend/backend.ts";
import { signToken } from "#backend/tokens/sign-token.ts";
import { retryUntilPassing } from "#tests/helpers/retry.ts";
import { createTestDatabase } from "../database.ts";

const jwtSecret = "only these tests sign with this secret";
const url = "http://backend.test";

export const PASSWORD = "Correct horse 7 battery!";

type AuthSettings = Partial<NonNullable<BackendOptions["auth"]>>;
export type Answer = { status: number; headers: Headers; body: Record<string, unknown> };

/** A backend with auth/v1 on the product's database, official clients for it, and the mails it sent. */
export type AuthTestServer = {
  /** A client with its own in-memory session, not signed in yet. */
  visitor(options?: { flowType?: "pkce" | "implicit" }): SupabaseClient;
  /** A client with the secret key. */
  server: SupabaseClient;
  anonKey: string;
  serviceRoleKey: string;
  /** Sends a request without a client; `path` is relative to `/auth/v1`. */
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  /** Same as `request`, but the way a browser follows a link or submits a form; redirects are not followed. */
  raw(method: string, path: string, init?: RequestInit): Promise<Response>;
  /** Passes any request to the backend, as it arrives from the network. */
  fetch(request: Request): Promise<Response>;
  /** The newest mail to an address, once at least `count` have arrived. */
  mailTo(address: string, count?: number): Promise<MailMessage>;
  mails: MailMessage[];
  logged: string[];
  /** Runs a query as superuser. */
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
};

type RequestOptions = { body?: unknown; token?: string | null; headers?: Record<string, string> };

export async function openAuth(settings: AuthSettings = {}, signingKeys?: JWK[]): Promise<AuthTestServer> {
  const database = await createTestDatabase();
  const superuser = new Client({ connectionString: database.url });
  await superuser.connect();
  const anonKey = await signToken({ role: "anon" }, jwtSecret);
  const serviceRoleKey = await signToken({ role: "service_role" }, jwtSecret);
  const mails: MailMessage[] = [];
  const logged: string[] = [];
  const backend = await createBackend({
    databaseUrl: database.authenticatorUrl,
    databaseConnections: 2,
    jwtSecret,
    signingKeys: signingKeys ?? [await makeSigningKey()],
    auth: {
      databaseUrl: database.authUrl,
      siteUrl: "http://site.test",
      externalUrl: `${url}/auth/v1`,
      siteName: "Harbor",
      mailerAutoconfirm: true,
      mailer: { send: async (mail) => void mails.push(mail), close: () => {} },
      log: (line) => logged.push(line),
      ...settings,
    },
  });
  const fetchHere: typeof fetch = (input, init) => backend.fetch(new Request(input as Request, init));
  const connect = (key: string, flowType: "pkce" | "implicit" = "implicit") => {
    const auth = {
      flowType,
      autoRefreshToken: false,
      storage: storageInMemory(),
      // The client caches a service's keys under this name for the whole process, even across services at the same
      // address.
      storageKey: crypto.randomUUID(),
      detectSessionInUrl: false,
    };
    return createClient(url, key, { auth, global: { fetch: fetchHere } });
  };
  return {
    visitor: ({ flowType } = {}) => connect(anonKey, flowType),
    server: connect(serviceRoleKey),
    anonKey,
    serviceRoleKey,
    raw: (method, path, init = {}) =>
      backend.fetch(new Request(`${url}/auth/v1${path}`, { ...init, method, redirect: "manual" })),
    async request(method, path, { body, token, headers } = {}) {
      const response = await backend.fetch(
        new Request(`${url}/auth/v1${path}`, {
          method,
          headers: {
            apikey: anonKey,
            ...(token && { authorization: `Bearer ${token}` }),
            ...headers,
          },
          ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
          redirect: "manual",
        }),
      );
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : {} };
    },
    fetch: backend.fetch,
    mailTo: (address, count = 1) =>
      retryUntilPassing(() => {
        const found = mails.filter(({ to }) => to === address);
        if (found.length < count) throw new Error(`${found.length} mails to ${address}`);
        return found.at(-1) as MailMessage;
      }),
    mails,
    logged,
    query: async (text, values) => (await superuser.query(text, values)).rows,
    async close() {
      await backend.close();
      await superuser.end();
      await database.drop();
    },
  };
}

/** Generates a new ES256 signing key. */
export async function makeSigningKey(kid = "first"): Promise<JWK> {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg: "ES256", use: "sig", key_ops: ["sign"] };
}

function storageInMemory() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

/** The six-digit code in a mail. */
export function codeIn({ text }: MailMessage): string {
  return /^(?:Or enter this code: )?(\d{6})$/m.exec(text)?.[1] ?? "";
}

/** The link in a mail. */
export function linkIn({ text }: MailMessage): URL {
  return new URL(/^http\S+$/m.exec(text)?.[0] ?? "");
}
