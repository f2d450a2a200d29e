import { createHmac, randomInt } from "node:crypto";
import type { Query } from "#backend/postgres/database.ts";
import { arrayLiteral } from "#backend/postgres/quote.ts";
import { type Act, recorded } from "../audit/recorded.ts";

/** Number of codes in a set. */
const RECOVERY_CODES = 10;
/** Without look-alike characters; ten of them are 49 bits. */
const SIGNS = "23456789abcdefghjkmnpqrstvwxyz";
const HALF = 5;

/** The method in a session's `amr`. */
export const RECOVERY_METHOD = "mfa/recovery_code";

export type CodeSet = { made_at: string | null; remaining: number };

/** Replaces a user's set of codes; resolves with the codes, which are stored only as hashes. */
export async function replaceCodes(
  query: Query,
  userId: string,
  secret: string,
  act: Act,
): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, makeCode);
  const hashes = codes.map((code) => hashOf(userId, code, secret));
  await query("delete from backend.recovery_codes where user_id = $1", [userId]);
  const insert = "insert into backend.recovery_codes (code_hash, user_id) select unnest($2::text[]), $1";
  await query(...recorded(act, insert, [userId, arrayLiteral(hashes)]));
  return codes;
}

/** Spends a code; resolves with false if it is not one of the user's unused codes. */
export async function spendCode(
  query: Query,
  userId: string,
  typed: string,
  secret: string,
): Promise<boolean> {
  const spent = await query(
    "update backend.recovery_codes set used_at = now() where code_hash = $1 and user_id = $2 and used_at is null returning 1 as one",
    [hashOf(userId, typed, secret), userId],
  );
  return spent.length > 0;
}

export async function describeCodes(query: Query, userId: string): Promise<CodeSet> {
  const [row] = await query(
    `select to_json(min(made_at)) #>> '{}' as made_at, count(*) filter (where used_at is null) as remaining
     from backend.recovery_codes where user_id = $1`,
    [userId],
  );
  return { made_at: row?.made_at ?? null, remaining: Number(row?.remaining ?? 0) };
}

function makeCode(): string {
  const half = () => Array.from({ length: HALF }, () => SIGNS[randomInt(SIGNS.length)]).join("");
  return `${half()}-${half()}`;
}

/** Ignores case and separators. Keyed, so that the table alone is not enough to brute-force codes. */
function hashOf(userId: string, typed: string, secret: string): string {
  const bare = typed.toLowerCase().replace(/[^a-z0-9]/g, "");
  return createHmac("sha256", secret).update(`recovery code\n${userId}\n${bare}`).digest("hex");
}
