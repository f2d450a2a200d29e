import { hash } from "node:crypto";
import type { Database, Row, Step } from "#backend/postgres/database.ts";
import { tooMany } from "../auth-error.ts";
import { createBlockList } from "./block-list.ts";

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

/** What is tried, and by or for whom. A null key is not counted; where `unless` was, nothing is too many. */
export type Try = { action: LimitedAction; key: string | null; unless?: Try };

export type RateLimits = {
  /** Counts one try; rejects with 429 when there were too many. */
  take(action: LimitedAction, key: string | null): Promise<void>;
  /**
   * Counts several, and rejects for the first of which there were too many. The statements `also` share the round trip;
   * gives their rows.
   */
  takeAll(tries: readonly Try[], also?: Step[]): Promise<Row[][]>;
  /** Whether it was counted or remembered. */
  knows(tried: Try): Promise<boolean>;
  /** The statement to run after a success: remembers `known` from now on, and counts the tries anew. */
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

  async function takeAll(tries: readonly Try[], also: Step[] = []): Promise<Row[][]> {
    const open: NamedTry[] = [];
    for (const tried of tries.filter(({ key }) => key !== null).map(withName)) {
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
      if (key !== null) await takeAll([{ action, key }]);
    },
    takeAll,
    knows,
    afterSuccess(known, tries) {
      const names = tries.map(nameOf);
      for (const name of names) blocked.remove(name);
      const end = Date.now() + limits[known.action].seconds * 1000;
      return { text: settle, values: [toArray([nameOf(known), ...names]), nameOf(known), String(end)] };
    },
  };
}

// In one order everywhere: two that wait for each other's rows would wait for ever.
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
  if (action === "accountSms" || action === "accountFactorSms")
    return tooMany("over_sms_send_rate_limit", soon, seconds);
  return tooMany("over_request_rate_limit", "Request rate limit reached", seconds);
}

type NamedTry = Try & { name: string };

const withName = (tried: Try): NamedTry => ({ ...tried, name: nameOf(tried) });

/** How a try is called in the table: addresses of people and of machines are nothing to keep there. */
function nameOf({ action, key }: Try): string {
  return `${action}:${hash("sha256", key ?? "", "base64url")}`;
}

/** PostgreSQL's array of texts that need no quotes. */
const toArray = (members: readonly (string | number)[]) => `{${members.join()}}`;
