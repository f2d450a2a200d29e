import * as v from "valibot";
import type { BackendAddress } from "#app/features/session/open-session.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { withTimeout } from "#app/features/session/with-timeout.ts";

/** The endpoints of our service for which the official client has no method. */
const PATH = "/auth/v1/factors/recovery-codes";

type Failure = { message: string; code?: string };
type Answer<T> = { data: T; error: null } | { data: null; error: Failure };

const Codes = v.object({ codes: v.array(v.string()) });
const Count = v.object({ remaining: v.number() });
const Tokens = v.object({ access_token: v.string(), refresh_token: v.string() });

/** Creates a new set, which replaces the former one. */
export async function makeRecoveryCodes(
  client: SessionClient,
  site: BackendAddress,
): Promise<Answer<string[]>> {
  const { data, error } = await ask(client, site, ["POST", ""], Codes);
  return data ? { data: data.codes, error } : { data, error };
}

/** The number of codes left; an error if the service does not support them. */
export async function countRecoveryCodes(
  client: SessionClient,
  site: BackendAddress,
): Promise<Answer<number>> {
  const { data, error } = await ask(client, site, ["GET", ""], Count);
  return data ? { data: data.remaining, error } : { data, error };
}

/** Uses one code in place of the second factor, which completes the session. */
export async function spendRecoveryCode(client: SessionClient, site: BackendAddress, code: string) {
  const { data, error } = await ask(client, site, ["POST", "/verify"], Tokens, { code });
  return data ? client.auth.setSession(data) : { data, error };
}

async function ask<Schema extends v.GenericSchema>(
  client: SessionClient,
  { supabaseUrl, supabaseAnonKey }: BackendAddress,
  [method, path]: ["GET" | "POST", string],
  schema: Schema,
  body?: object,
): Promise<Answer<v.InferOutput<Schema>>> {
  const { data, error } = await client.auth.getSession();
  if (error || !data.session)
    return { data: null, error: error ?? { message: "You’re no longer signed in." } };
  const response = await withTimeout(fetch)(`${supabaseUrl || window.location.origin}${PATH}${path}`, {
    method,
    headers: {
      apikey: supabaseAnonKey,
      authorization: `Bearer ${data.session.access_token}`,
      "content-type": "application/json",
      // The API version in which error codes are words.
      "x-supabase-api-version": "2024-01-01",
    },
    ...(method === "POST" && { body: JSON.stringify(body ?? {}) }),
  });
  const answer: unknown = await response.json().catch(() => null);
  const read = v.safeParse(schema, answer);
  if (response.ok && read.success) return { data: read.output, error: null };
  return { data: null, error: failureIn(answer) };
}

function failureIn(answer: unknown): Failure {
  const parsed = v.safeParse(v.object({ message: v.string(), code: v.optional(v.string(), "") }), answer);
  return parsed.success
    ? parsed.output
    : { message: "The service can't do that right now. Please try again later." };
}
