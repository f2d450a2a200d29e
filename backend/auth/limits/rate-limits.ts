import { createHash } from "node:crypto";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import type { Database } from "#backend/postgres/database.ts";
import { tooMany } from "../auth-error.ts";

/** So often within so many seconds. */
export type Limit = { points: number; seconds: number };

/** The first ones count per network address, those that begin with `account` per account or mailbox. */
export type LimitedAction =
  | "signUp"
  | "signIn"
  | "refresh"
  | "verify"
  | "send"
  | "factor"
  | "passkey"
  | "accountSignIn"
  | "accountSignInFromAddress"
  /** No limit: remembers for so long from where an account was signed in to. */
  | "accountKnownNetwork"
  | "accountVerify"
  | "accountVerifyDay"
  | "accountFactor"
  | "accountFactorDay"
  | "accountSend"
  | "accountSendDay"
  | "accountSms"
  | "accountFactorSms";

export type RateLimits = {
  /** Counts one try; rejects with 429 when there were too many. A null key is not counted. */
  take(action: LimitedAction, key: string | null): Promise<void>;
  /** Forgets the tries, after a success. */
  forget(action: LimitedAction, key: string): Promise<void>;
  /** Whether anything was counted. */
  knows(action: LimitedAction, key: string): Promise<boolean>;
};

/** Counts in the database, so that several processes agree; an unreachable database refuses. */
export function createRateLimits(database: Database, limits: Record<LimitedAction, Limit>): RateLimits {
  const storeClient = asClient(database);
  const limiters = Object.fromEntries(
    Object.entries(limits).map(([action, { points, seconds }]) => [
      action,
      new RateLimiterPostgres({
        storeClient,
        storeType: "client",
        schemaName: "auth",
        tableName: "rate_limits",
        tableCreated: true,
        keyPrefix: action,
        points,
        duration: seconds,
        // Whoever is over the limit is refused from memory: a flood does not reach the database.
        inMemoryBlockOnConsumed: points + 1,
        // One of them clears the table for all.
        clearExpiredByTimeout: action === "signIn",
      }),
    ]),
  ) as Record<LimitedAction, RateLimiterPostgres>;

  return {
    async take(action, key) {
      if (key === null) return;
      try {
        await limiters[action].consume(digest(key));
      } catch (cause) {
        if (!(cause instanceof RateLimiterRes)) throw cause;
        throw refusal(action, Math.max(1, Math.ceil(cause.msBeforeNext / 1000)));
      }
    },
    forget: async (action, key) => void (await limiters[action].delete(digest(key))),
    knows: async (action, key) => (await limiters[action].get(digest(key))) !== null,
  };
}

function refusal(action: LimitedAction, seconds: number) {
  const soon = `For security purposes, you can only request this after ${seconds} seconds.`;
  if (action === "accountSend" || action === "accountSendDay")
    return tooMany("over_email_send_rate_limit", soon, seconds);
  if (action === "accountSms" || action === "accountFactorSms")
    return tooMany("over_sms_send_rate_limit", soon, seconds);
  return tooMany("over_request_rate_limit", "Request rate limit reached", seconds);
}

/** Addresses of people and of machines are nothing to keep in a table of counters. */
function digest(key: string): string {
  return createHash("sha256").update(key).digest("base64url");
}

/** What the limiter knows of `pg`: one method. Counts come back as numbers, as it expects. */
function asClient(database: Database) {
  return {
    async query({ text, values }: { text: string; values: unknown[] }) {
      const rows = await database.query(
        text,
        values.map((value) => (value === null ? null : String(value))),
      );
      return {
        rowCount: rows.length,
        rows: rows.map(({ points, expire }) => ({
          points: Number(points),
          expire: expire === null ? null : Number(expire),
        })),
      };
    },
  };
}
