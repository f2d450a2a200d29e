import { randomUUID } from "node:crypto";
import type { Query } from "#backend/postgres/database.ts";
import { AuthError } from "../auth-error.ts";
import type { Ceremony } from "../webauthn/ceremony.ts";

type Purpose = "registration" | "authentication";

/** Sent to the browser together with the options. */
type ChallengeAnswer = { challenge_id: string; expires_at: number };

/** `userId` is null before sign-in. */
export async function storeChallenge(
  query: Query,
  purpose: Purpose,
  userId: string | null,
  ceremony: Ceremony,
  seconds: number,
): Promise<ChallengeAnswer> {
  const id = randomUUID();
  await query(
    `insert into auth.webauthn_challenges (id, user_id, challenge_type, session_data, expires_at)
     values ($1, $2, $3, $4, now() + make_interval(secs => $5))`,
    [id, userId, purpose, JSON.stringify(ceremony), String(seconds)],
  );
  return { challenge_id: id, expires_at: Math.floor(Date.now() / 1000 + seconds) };
}

/**
 * Spends a challenge, whatever the outcome. Run it outside a transaction, since a refusal would roll it back.
 * @throws AuthError 400 if it is spent, expired, another user's, or for another purpose
 */
export async function takeChallenge(
  query: Query,
  id: string,
  purpose: Purpose,
  userId: string | null,
): Promise<Ceremony> {
  const [row] = await query(
    `delete from auth.webauthn_challenges
     where id = $1 and challenge_type = $2 and user_id is not distinct from $3::uuid
     returning session_data, expires_at > now() as fresh`,
    [id, purpose, userId],
  );
  if (!row) {
    throw new AuthError(400, "webauthn_challenge_not_found", "Challenge not found or already used");
  }
  if (row.fresh !== "t") throw new AuthError(400, "webauthn_challenge_expired", "Challenge has expired");
  return JSON.parse(row.session_data as string);
}
