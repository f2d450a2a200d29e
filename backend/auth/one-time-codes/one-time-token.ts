import { createHmac, hash, randomInt, randomUUID } from "node:crypto";
import type { Query } from "#backend/postgres/database.ts";
import { arrayLiteral } from "#backend/postgres/quote.ts";

/** Values of the database enum `one_time_token_type`. */
export type OneTimeTokenType =
  | "confirmation_token"
  | "recovery_token"
  | "reauthentication_token"
  | "email_change_token_new"
  | "email_change_token_current"
  | "phone_change_token";

/** The digits to type, and the link's token, which is derived from them and the address. */
export type OneTimeCode = { code: string; token: string };

export function makeCode(address: string, digits: number, secret: string): OneTimeCode {
  const code = String(randomInt(10 ** digits)).padStart(digits, "0");
  return { code, token: tokenOf(address, code, secret) };
}

/** Keyed with the service's secret, so that a link's token cannot be found by brute-forcing codes. */
export function tokenOf(address: string, code: string, secret: string): string {
  return createHmac("sha256", secret).update(`one-time token\n${address}\n${code}`).digest("hex");
}

const IN_EXCHANGE = "pkce_";

/**
 * The token of a link for PKCE, which leads to a code that only the requesting browser can exchange. It is stored with
 * its prefix, and not accepted without it.
 */
export const inExchange = (token: string) => IN_EXCHANGE + token;
export const isInExchange = (token: string) => token.startsWith(IN_EXCHANGE);

/** One per user and type: a new token replaces the previous one. Only the token's hash is stored. */
export async function storeToken(
  query: Query,
  userId: string,
  type: OneTimeTokenType,
  token: string,
  address: string,
): Promise<void> {
  await query(
    `insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at, updated_at)
     values ($1, $2, $3, $4, $5, now() at time zone 'utc', now() at time zone 'utc')
     on conflict (user_id, token_type) do update set token_hash = excluded.token_hash,
       relates_to = excluded.relates_to, created_at = excluded.created_at, updated_at = excluded.updated_at`,
    [randomUUID(), userId, type, hash("sha256", token), address],
  );
}

export type TakenToken = { userId: string; type: OneTimeTokenType; address: string };

/** Seconds for which a code is valid, by how it was sent. */
type CodeExpiry = { otpExpiry: number; smsOtpExpiry: number };

const columns = `user_id, token_type, relates_to, created_at > (now() at time zone 'utc')
  - make_interval(secs => case when strpos(relates_to, '@') > 0 then $3::double precision else $4::double precision end) as fresh`;
const these =
  "auth.one_time_tokens where token_hash = any ($1::text[]) and token_type::text = any ($2::text[])";

type Read = (
  query: Query,
  types: readonly OneTimeTokenType[],
  tokens: readonly string[],
  expiry: CodeExpiry,
) => Promise<TakenToken | null>;

/** Spends whichever of these tokens exists; null if there is none, or it has expired. */
export const takeToken = reading(`delete from ${these} returning ${columns}`);

/** Same as `takeToken`, without spending the token. */
export const findToken = reading(`select ${columns} from ${these}`);

function reading(text: string): Read {
  return async (query, types, tokens, { otpExpiry, smsOtpExpiry }) => {
    const [row] = await query(text, [
      arrayLiteral(tokens.map((token) => hash("sha256", token))),
      arrayLiteral(types),
      String(otpExpiry),
      String(smsOtpExpiry),
    ]);
    if (row?.fresh !== "t") return null;
    return {
      userId: row.user_id as string,
      type: row.token_type as OneTimeTokenType,
      address: row.relates_to as string,
    };
  };
}
