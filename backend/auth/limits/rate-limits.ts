import { hash } from "node:crypto";
import { createByteCache } from "#backend/memory/byte-cache.ts";
import type { Row, Step } from "#backend/postgres/database.ts";
import { tooMany } from "../auth-error.ts";
import type { CountStore } from "./count-store.ts";
import type { Limit, LimitedAction } from "./limited-actions.ts";

/**
 * An attempt at an action, with the key it counts for. A null key is not counted; if `unless` is remembered, the limit
 * does not apply.
 */
export type Try = { action: LimitedAction; key: string | null; unless?: Try };

export type RateLimits = {
  /** Counts one attempt; rejects with 429 over the limit. */
  take(action: LimitedAction, key: string | null): Promise<void>;
  /**
   * Counts several attempts, and rejects for the first over its limit. The steps `also` share the round trip; resolves
   * with their rows.
   */
  takeAll(tries: readonly Try[], also?: Step[]): Promise<Row[][]>;
  /** Whether the attempt was counted or remembered. */
  knows(tried: Try): Promise<boolean>;
  /** The step to run after a success: remembers `known`, and resets the counts of `tries`. */
  afterSuccess(known: Try, tries: readonly Try[]): Step;
};

/** Keys known to be over their limit are refused from memory, so that a flood does not reach the store. */
export function createRateLimits(store: CountStore, limits: Record<LimitedAction, Limit>): RateLimits {
  /** When each key's block ends, for about 10,000 keys; for others, the store is asked again. */
  const blocked = createByteCache<number>({ maxBytes: 2_500_000, sizeOf: () => 8 });

  const knows = (tried: Try) => store.knows(nameOf(tried));

  async function refuse({ action, unless }: Try, ms: number): Promise<void> {
    if (unless && (await knows(unless))) return;
    throw refusal(action, Math.max(1, Math.ceil(ms / 1000)));
  }

  const isCounted = ({ action, key }: Try) => key !== null && Number.isFinite(limits[action].points);

  async function takeAll(tries: readonly Try[], also: Step[] = []): Promise<Row[][]> {
    const open: NamedTry[] = [];
    for (const tried of tries.filter(isCounted).map(withName)) {
      const ms = (blocked.get(tried.name) ?? 0) - Date.now();
      if (ms > 0) await refuse(tried, ms);
      else open.push(tried);
    }
    const now = Date.now();
    const asked = open.map(({ name, action }) => ({ name, end: now + limits[action].seconds * 1000 }));
    const { counts, rows } = await store.count(asked, also);
    for (const tried of open) {
      const { points = 0, end = now } = counts.get(tried.name) ?? {};
      if (points <= limits[tried.action].points) continue;
      blocked.set(tried.name, end);
      await refuse(tried, end - Date.now());
    }
    return rows;
  }

  return {
    async take(action, key) {
      if (isCounted({ action, key })) await takeAll([{ action, key }]);
    },
    takeAll,
    knows,
    afterSuccess(known, tries) {
      const names = tries.map(nameOf);
      for (const name of names) blocked.delete(name);
      const end = Date.now() + limits[known.action].seconds * 1000;
      return store.settle({ name: nameOf(known), end }, names);
    },
  };
}

function refusal(action: LimitedAction, seconds: number) {
  const soon = `For security purposes, you can only request this after ${seconds} seconds.`;
  if (action === "accountSend" || action === "accountSendDay")
    return tooMany("over_email_send_rate_limit", soon, seconds);
  if (action === "mailsSent")
    return tooMany("over_email_send_rate_limit", "email rate limit exceeded", seconds);
  if (action === "textsSent") return tooMany("over_sms_send_rate_limit", "SMS rate limit exceeded", seconds);
  if (/^account(Factor)?Sms(Day)?$/.test(action)) return tooMany("over_sms_send_rate_limit", soon, seconds);
  const what =
    action === "signUpDay" ? "Too many new accounts from this network today" : "Request rate limit reached";
  return tooMany("over_request_rate_limit", what, seconds);
}

type NamedTry = Try & { name: string };

const withName = (tried: Try): NamedTry => ({ ...tried, name: nameOf(tried) });

/** The key in the table; hashed so that email and network addresses are not stored there. */
function nameOf({ action, key }: Try): string {
  return `${action}:${hash("sha256", key ?? "", "base64url")}`;
}
