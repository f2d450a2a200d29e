import { hash } from "node:crypto";
import type { Database, Row, Step } from "#backend/postgres/database.ts";
import { tooMany } from "../auth-error.ts";
import { createBlockList } from "./block-list.ts";

/** So many tries within so many seconds; infinitely many are not counted. */
export type Limit = { points: number; seconds: number };

/** Those that begin with `account` count per account or mailbox, the others per network. */
export type LimitedAction =
  | "signUp"
  | "signUpDay"
  | "signUpAnonymously"
  | "signIn"
  | "refresh"
  | "verify"
  | "send"
  | "factor"
  | "passkey"
  | "oauthRegister"
  | "oauthRequest"
  | "oauthToken"
  | "web3"
  | "provider"
  | "sso"
  | "assertion"
  | "accountSignIn"
  | "accountSignInFromAddress"
  /** No limit: remembers for so long from which network an account was signed in to. */
  | "accountKnownNetwork"
  | "accountVerify"
  | "accountVerifyDay"
  | "accountFactor"
  | "accountFactorDay"
  | "accountSend"
  | "accountSendDay"
  | "accountSms"
  | "accountFactorSms"
  | "accountNoticeSms"
  | "accountDeviceNotice"
  /** These are of all together. */
  | "mailsSent"
  | "textsSent"
  | "failureEntries";

/** An action, and by or for whom. A null key is not counted; where `unless` is remembered, there is no limit. */
export type Try = { action: LimitedAction; key: string | null; unless?: Try };

export type RateLimits = {
  /** Counts one try; rejects with 429 beyond the limit. */
  take(action: LimitedAction, key: string | null): Promise<void>;
  /**
   * Counts several, and rejects for the first beyond its limit. The steps `also` share the round trip; resolves with their
   * rows.
   */
  takeAll(tries: readonly Try[], also?: Step[]): Promise<Row[][]>;
  /** Rejects with 429 where the limit is reached; counts nothing. */
  requireRoom(action: LimitedAction, key: string | null): Promise<void>;
  /** Whether it was counted or remembered. */
  knows(tried: Try): Promise<boolean>;
  /** The step to run after a success: remembers `known`, and resets the counts of the tries. */
  afterSuccess(known: Try, tries: readonly Try[]): Step;
};

/** Counts in the database, so that several processes agree; an unreachable database refuses. */
export function createRateLimits(database: Database, limits: Record<LimitedAction, Limit>): RateLimits {
  const blocked = createBlockList();

  function countStep(tries: readonly NamedTry[]): Step {
    const now = Date.now();
    const ends = tries.map(({ action }) => now + limits[action].seconds * 1000);
    return { text: count, values: [toArray(tries.map(({ name }) => name)), toArray(ends), String(now)] };
  }

  async function knows(tried: Try): Promise<boolean> {
    const text = "select from auth.rate_limits where key = $1 and expire > $2";
    return (await database.query(text, [nameOf(tried), String(Date.now())])).length > 0;
  }

  async function refuse({ action, unless }: Try, ms: number): Promise<void> {
    if (unless && (await knows(unless))) return;
    throw refusal(action, Math.max(1, Math.ceil(ms / 1000)));
  }

  const isCounted = ({ action, key }: Try) => key !== null && Number.isFinite(limits[action].points);

  async function takeAll(tries: readonly Try[], also: Step[] = []): Promise<Row[][]> {
    const open: NamedTry[] = [];
    for (const tried of tries.filter(isCounted).map(withName)) {
      const ms = blocked.remaining(tried.name);
      if (ms > 0) await refuse(tried, ms);
      else open.push(tried);
    }
    const [counts = [], ...rows] = await database.run([countStep(open), ...also]);
    for (const tried of open) {
      const { points, expire } = counts.find(({ key }) => key === tried.name) as Row;
      if (Number(points) <= limits[tried.action].points) continue;
      const ms = Number(expire) - Date.now();
      blocked.add(tried.name, ms);
      await refuse(tried, ms);
    }
    return rows;
  }

  return {
    async take(action, key) {
      if (isCounted({ action, key })) await takeAll([{ action, key }]);
    },
    takeAll,
    async requireRoom(action, key) {
      if (key === null) return;
      const text = "select expire from auth.rate_limits where key = $1 and expire > $2 and points >= $3";
      const values = [nameOf({ action, key }), String(Date.now()), String(limits[action].points)];
      const [full] = await database.query(text, values);
      if (full) throw refusal(action, Math.max(1, Math.ceil((Number(full.expire) - Date.now()) / 1000)));
    },
    knows,
    afterSuccess(known, tries) {
      const names = tries.map(nameOf);
      for (const name of names) blocked.remove(name);
      const end = Date.now() + limits[known.action].seconds * 1000;
      return { text: settle, values: [toArray([nameOf(known), ...names]), nameOf(known), String(end)] };
    },
  };
}

// In one order everywhere: otherwise two of them could deadlock.
const count = `
  insert into auth.rate_limits as kept (key, points, expire)
  select key, 1, expire from unnest($1::text[], $2::bigint[]) as tried (key, expire) order by key
  on conflict (key) do update set
    points = case when kept.expire > $3 then kept.points + 1 else 1 end,
    expire = case when kept.expire > $3 then kept.expire else excluded.expire end
  returning key, points, expire`;

const settle = `
  insert into auth.rate_limits as kept (key, points, expire)
  select key, case when key = $2 then 1 else 0 end, case when key = $2 then $3::bigint else 0 end
  from unnest($1::text[]) as tried (key) order by key
  on conflict (key) do update set points = excluded.points, expire = greatest(kept.expire, excluded.expire)`;

function refusal(action: LimitedAction, seconds: number) {
  const soon = `For security purposes, you can only request this after ${seconds} seconds.`;
  if (action === "accountSend" || action === "accountSendDay")
    return tooMany("over_email_send_rate_limit", soon, seconds);
  if (action === "mailsSent")
    return tooMany("over_email_send_rate_limit", "email rate limit exceeded", seconds);
  if (action === "textsSent") return tooMany("over_sms_send_rate_limit", "SMS rate limit exceeded", seconds);
  if (action === "accountSms" || action === "accountFactorSms")
    return tooMany("over_sms_send_rate_limit", soon, seconds);
  const what =
    action === "signUpDay" ? "Too many new accounts from this network today" : "Request rate limit reached";
  return tooMany("over_request_rate_limit", what, seconds);
}

type NamedTry = Try & { name: string };

const withName = (tried: Try): NamedTry => ({ ...tried, name: nameOf(tried) });

/** The key in the table, hashed: addresses of people and machines are not stored there. */
function nameOf({ action, key }: Try): string {
  return `${action}:${hash("sha256", key ?? "", "base64url")}`;
}

/** A PostgreSQL array literal, of members that need no quotes. */
const toArray = (members: readonly (string | number)[]) => `{${members.join()}}`;
